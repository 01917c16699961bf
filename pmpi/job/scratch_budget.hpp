// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <new>
#include <string_view>
#include <utility>

namespace airamp::pmpi {

/// What a rank says of the scratch of an algorithm. The least that any rank says holds for all.
enum class ScratchAnswer : int { no_memory, limited, over_budget, held };

/// Why there is none, for people; of an answer other than `held`.
std::string_view why_no_scratch(ScratchAnswer answer);

/// There is no scratch to be had on this rank.
class NoScratch : public std::bad_alloc {
 public:
  explicit NoScratch(ScratchAnswer answer) : answer_(answer) {}
  const char* what() const noexcept override { return "no scratch memory"; }
  ScratchAnswer answer() const { return answer_; }

 private:
  ScratchAnswer answer_;
};

/// A share of the host memory that the algorithms of this rank may hold between calls (setting host_scratch), given
/// back with its owner. Movable. Thread-safe among shares.
class BudgetShare {
 public:
  BudgetShare() = default;
  /// Throws NoScratch if that is more than is left of the budget, or than the host, the control groups and the
  /// resource limits have room for.
  explicit BudgetShare(std::uint64_t bytes);
  ~BudgetShare();
  BudgetShare(BudgetShare&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
  BudgetShare& operator=(BudgetShare&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }

 private:
  std::uint64_t bytes_ = 0;
};

}  // namespace airamp::pmpi
