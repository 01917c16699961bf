// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "telemetry/segment/layout.hpp"

namespace airamp::telemetry {

/// The cheapest clock of this machine that all cores share: the processor's counter, or CLOCK_MONOTONIC where there is
/// none that ticks evenly and that the kernel itself takes the time from. The first call reads a file.
layout::ClockKind tick_clock_kind() noexcept;

/// CLOCK_MONOTONIC or CLOCK_REALTIME, nanoseconds.
inline std::uint64_t clock_ns(clockid_t clock) noexcept {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

/// CLOCK_MONOTONIC, nanoseconds, for differences.
inline std::int64_t monotonic_ns() noexcept { return static_cast<std::int64_t>(clock_ns(CLOCK_MONOTONIC)); }

/// Reads a clock of kind `kind`, which must be this machine's `tick_clock_kind()`. No system call.
inline std::uint64_t read_ticks(layout::ClockKind kind) noexcept {
#if defined(__x86_64__)
  if (kind == layout::ClockKind::time_stamp_counter) [[likely]]
    return __rdtsc();
#elif defined(__aarch64__)
  if (kind == layout::ClockKind::virtual_counter) {
    std::uint64_t ticks = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return clock_ns(CLOCK_MONOTONIC);
}

/// The three clocks at one moment.
struct ClockReading {
  std::uint64_t ticks = 0;
  std::uint64_t monotonic_ns = 0;
  std::uint64_t realtime_ns = 0;
};

/// Reads them as close together as a few attempts get.
ClockReading read_clocks(layout::ClockKind kind) noexcept;

/// Nanoseconds per tick between two readings; 0 if they are too close to tell.
double nanoseconds_per_tick(const ClockReading& earlier, const ClockReading& later) noexcept;

}  // namespace airamp::telemetry
