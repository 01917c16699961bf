// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace airamp::differential {

/// Memory between two guards. Reused from call to call.
class Buffer {
 public:
  /// `bytes` bytes, `offset` bytes behind a cache line, filled with a pattern, guards around them.
  void reset(std::size_t bytes, std::size_t offset);

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return bytes_; }

  bool guards_intact() const;

  /// A hash of the bytes between the guards.
  std::uint64_t hash() const;

 private:
  std::vector<std::byte> storage_;
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace airamp::differential
