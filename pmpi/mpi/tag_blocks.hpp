// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <random>

namespace airamp::pmpi {

/// Numbers for what the ranks of some communicator have in common, such as the tags of an algorithm: no process takes
/// part in two of the same number, whatever communicators it is in. The ranks take the greatest number that one of them
/// proposes; each claims it, and where one cannot, since another of its threads was faster, they start again.
/// Thread-safe.
class TagBlocks {
 public:
  /// What one rank proposes, and of both parts the greatest of all ranks.
  struct Proposal {
    std::uint64_t number = 0;
    std::uint64_t lot = 0;
  };

  /// Lots of ranks with different seeds differ.
  void seed(unsigned seed) {
    const std::lock_guard lock(mutex_);
    lots_.seed(seed);
  }

  Proposal propose() {
    const std::lock_guard lock(mutex_);
    return {.number = next_, .lot = lots_()};
  }

  /// What the ranks are to claim in an attempt, from 0 on, by the greatest proposal. Where two communicators hinder
  /// each other, whose ranks would go on doing so in step, their lots part them: of two numbers the greater one can be
  /// claimed in whatever order their threads come.
  static std::uint64_t number_of(const Proposal& greatest, int attempt) {
    constexpr int most_doublings = 3;
    return greatest.number +
           greatest.lot % (std::uint64_t{1} << static_cast<unsigned>(std::min(attempt, most_doublings)));
  }

  /// Whether `number`, at least what was proposed, is this communicator's now.
  bool claim(std::uint64_t number) {
    const std::lock_guard lock(mutex_);
    if (number < next_) return false;
    next_ = number + 1;
    return true;
  }

 private:
  std::mutex mutex_;
  std::uint64_t next_ = 0;
  std::minstd_rand lots_;
};

}  // namespace airamp::pmpi
