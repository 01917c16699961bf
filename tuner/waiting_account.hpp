// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/recent_samples.hpp"
#include "tuner/short_steps.hpp"

namespace airamp::tuner {

/// What a rank lets itself be held up for in calls in which natively it would not wait for others, and whether that
/// pays. Their gain is measured while all ranks come together, which in a program they need not do. A rank that was
/// held up for longer than calls have gained waits no more: the next meeting to which a rank comes late is closed. That
/// is no gain where the rank would only wait in a later call instead. So the native calls behind such a meeting are
/// compared with the carried ones before it, by how long a step takes: from one such call to the next.
///
/// Where carried calls take longer though nobody comes late, no meeting would be closed. So the rank also waits no more
/// if a call is said to gain more than a whole step takes, and the first carried steps take much longer than the native
/// ones before them; and compares behind that. And it is against the next meeting as long as native steps are shorter
/// than a carried call can be, with all that the program does in them.
///
/// A rank's own affair; of the calls that share an agreement gate. For one thread at a time. Times are in seconds, by
/// any steady clock; `clock()` gives the time, and is asked in one of some calls.
class WaitingAccount {
 public:
  /// `least_step`: no step with a carried call takes less. 0: not known.
  explicit WaitingAccount(double least_step = 0) noexcept : native_steps_(least_step) {}

  /// For how long the rank waits in its next meeting, where it waits for `usual` as long as nothing is known. Infinite
  /// where it waits natively as well.
  double patience(double usual) noexcept;

  /// A meeting took place, of a call that gains `gain` if it is as in measured calls, in which the rank was held up.
  template <class Clock>
  void count(double gain, double held_up, const Clock& clock) {
    if (is_native_) [[unlikely]]
      compare();
    if (calls_++ % calls_of_window == 0) [[unlikely]]
      end_carried_window(clock(), gain);
    spend(gain, held_up);
  }

  /// A meeting was closed, and some calls stay native.
  void close(double now) noexcept;

  /// Whether native calls are counted, as the first ones are and those since a closed meeting; then each of them.
  bool is_native() const noexcept { return is_native_; }
  template <class Clock>
  void count_native(const Clock& clock) {
    if (++calls_ % calls_of_window == 0) end_native_window(clock());
  }

  /// Whether a step was found to take longer with carried calls, whatever these gain in measured calls.
  bool is_refuted() const noexcept { return is_refuted_; }

  /// Whether calls are to stay native: for a while if that was found, for longer each time that it is found again; or
  /// as long as steps are shorter than carried calls.
  bool rests() const noexcept { return is_native_ && (calls_ < rest_ || native_steps_.are_short()); }

 private:
  /// How long the latest steps took, some together. Programs pause between some of them, so that their median counts.
  static constexpr std::size_t most_windows = 16;
  using Windows = base::RecentSamples<most_windows>;
  static constexpr std::uint64_t calls_of_window = 8;

  void end_window(Windows& windows, double now) noexcept;
  void end_native_window(double now) noexcept;
  void end_carried_window(double now, double gain) noexcept;
  void end_native() noexcept;
  void compare() noexcept;
  void spend(double gain, double held_up) noexcept;

  bool is_first_run_ = true;  ///< of native calls: no meeting took place or was closed
  bool is_native_ = true;
  bool is_tired_ = false;  ///< it waits no more
  bool is_refuted_ = false;
  bool was_compared_ = false;  ///< carried steps with native ones, for the first time
  std::uint64_t calls_ = 0;    ///< native ones, at first or since a closed meeting; or carried ones behind them
  std::uint64_t rest_ = 0;     ///< so many native calls
  double usual_ = 0;           ///< patience as long as nothing is known
  double saved_ = 0;           ///< how much longer it waits, as calls have gained: one late rank closes no meeting then
  double allowance_ = 0;       ///< for how much longer than calls gain it may be held up; 0: not known yet
  double left_ = 0;            ///< of the allowance
  double since_ = std::numeric_limits<double>::quiet_NaN();  ///< when this window began; NaN: none has
  double loss_ = 0;                                          ///< how much longer a carried step was found to take
  Windows carried_;
  Windows native_;
  ShortSteps native_steps_;
};

}  // namespace airamp::tuner
