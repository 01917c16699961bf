// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>

namespace airamp::pmpi {

/// Seconds since it was made.
class Stopwatch {
 public:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(now() - start_).count(); }

  /// Seconds since some moment, the same of a process.
  static double clock_seconds() noexcept { return std::chrono::duration<double>(now().time_since_epoch()).count(); }

  /// What all of them read. Tests set another.
  static inline std::atomic<Clock::time_point (*)() noexcept> clock{&Clock::now};

 private:
  static Clock::time_point now() noexcept { return clock.load(std::memory_order_relaxed)(); }

  Clock::time_point start_ = now();
};

}  // namespace airamp::pmpi
