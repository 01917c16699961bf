// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <mutex>

namespace airamp::pmpi {

/// Numbers for what the ranks of some communicator have in common, such as the tags of an algorithm: no process takes
/// part in two of the same number, whatever communicators it is in. The ranks take the greatest number that one of them
/// proposes; each claims it, and where one cannot, since another of its threads was faster, they start again.
/// Thread-safe.
class TagBlocks {
 public:
  std::uint64_t propose() {
    const std::lock_guard lock(mutex_);
    return next_;
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
};

}  // namespace airamp::pmpi
