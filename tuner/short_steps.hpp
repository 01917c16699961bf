// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace airamp::tuner {

/// Whether a program's steps, from one call to the next, are shorter than they could be if calls were carried. Ranks
/// that run ahead of others do so in bursts, in which steps are short: so it is the mean of many that counts.
///
/// For one thread at a time. Times are in seconds, by any steady clock.
class ShortSteps {
 public:
  /// `least`: no step with a carried call takes less; 0: not known.
  explicit ShortSteps(double least) noexcept : least_(least) {}

  /// From now on other steps are looked at, of which nothing is known.
  void begin() noexcept { *this = ShortSteps(least_); }

  /// So many more steps have ended, as many each time.
  void end(std::uint64_t steps, double now) noexcept;

  bool are_short() const noexcept { return are_short_; }

 private:
  double least_;
  bool are_short_ = false;
  double since_ = 0;         ///< when the latest run of steps began
  std::uint64_t ended_ = 0;  ///< of it, so many times
};

}  // namespace airamp::tuner
