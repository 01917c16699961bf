// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace airamp::pola {

/// While it lives, all nothrow allocations from number `which` on, counted from 0, fail; others do not.
class FailingAllocation {
 public:
  explicit FailingAllocation(std::size_t which);
  FailingAllocation(const FailingAllocation&) = delete;
  FailingAllocation& operator=(const FailingAllocation&) = delete;
  ~FailingAllocation();
};

/// Counts the bytes of allocations that were made since it began to live, and are still held.
class AllocationMeter {
 public:
  AllocationMeter();
  AllocationMeter(const AllocationMeter&) = delete;
  AllocationMeter& operator=(const AllocationMeter&) = delete;

  std::size_t bytes() const;

 private:
  std::size_t before_;
};

}  // namespace airamp::pola
