// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::telemetry {

/// Counts calls of one communicator that might have been one: small ones that come so close after each other that less
/// time lies between two of them than the first one took. Times in ticks of any one clock. Not thread-safe.
class CloseCallCounter {
 public:
  /// A call is over. `is_small`: it counts; another one ends a group.
  void note(bool is_small, std::uint64_t entered, std::uint64_t left) noexcept {
    const bool is_close = is_small && entered - last_left_ < last_duration_;
    if (is_close) {
      groups_ += in_group_ ? 0 : 1;
      ++followers_;
      following_ticks_ += left - entered;
    }
    in_group_ = is_close;
    last_left_ = left;
    last_duration_ = is_small ? left - entered : 0;
  }

  void add(const CloseCallCounter& other) noexcept {
    groups_ += other.groups_;
    followers_ += other.followers_;
    following_ticks_ += other.following_ticks_;
  }

  std::uint64_t groups() const { return groups_; }
  std::uint64_t calls() const { return groups_ + followers_; }        ///< in groups
  std::uint64_t following_ticks() const { return following_ticks_; }  ///< of all of these but the first of each group

 private:
  std::uint64_t last_left_ = 0;
  std::uint64_t last_duration_ = 0;
  std::uint64_t groups_ = 0;
  std::uint64_t followers_ = 0;
  std::uint64_t following_ticks_ = 0;
  bool in_group_ = false;
};

}  // namespace airamp::telemetry
