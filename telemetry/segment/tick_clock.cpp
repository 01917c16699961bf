// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/tick_clock.hpp"

#if defined(__x86_64__)
#include <cpuid.h>

#include <string_view>

#include "base/file_start.hpp"
#endif

namespace airamp::telemetry {
namespace {

#if defined(__x86_64__)
/// "Invariant TSC": bit 8 of EDX of leaf 0x80000007, Intel SDM volume 3, 18.17.1; the same in AMD's APM.
bool counter_is_invariant() noexcept {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 0x100U) != 0;
}

/// Whether Linux takes its own time from the counter: it watches whether the processors' counters agree, and gives them
/// up where they do not, or where a hypervisor may move the guest to a machine with another counter.
bool kernel_uses_counter() noexcept {
  const auto source = base::read_start<32>("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  return std::string_view(source.data()) == "tsc\n";
}
#endif

layout::ClockKind find_kind() noexcept {
#if defined(__x86_64__)
  return counter_is_invariant() && kernel_uses_counter() ? layout::ClockKind::time_stamp_counter
                                                         : layout::ClockKind::monotonic;
#elif defined(__aarch64__)
  return layout::ClockKind::virtual_counter;
#else
  return layout::ClockKind::monotonic;
#endif
}

}  // namespace

layout::ClockKind tick_clock_kind() noexcept {
  static const layout::ClockKind kind = find_kind();
  return kind;
}

ClockReading read_clocks(layout::ClockKind kind) noexcept {
  ClockReading best;
  std::uint64_t best_width = ~std::uint64_t{0};
  for (int attempt = 0; attempt < 5; ++attempt) {
    const std::uint64_t before = read_ticks(kind);
    const std::uint64_t monotonic = clock_ns(CLOCK_MONOTONIC);
    const std::uint64_t realtime = clock_ns(CLOCK_REALTIME);
    const std::uint64_t width = read_ticks(kind) - before;
    if (width >= best_width) continue;
    best_width = width;
    best = {.ticks = before + width / 2, .monotonic_ns = monotonic, .realtime_ns = realtime};
  }
  return best;
}

double nanoseconds_per_tick(const ClockReading& earlier, const ClockReading& later) noexcept {
  if (later.ticks <= earlier.ticks || later.monotonic_ns <= earlier.monotonic_ns) return 0;
  return static_cast<double>(later.monotonic_ns - earlier.monotonic_ns) /
         static_cast<double>(later.ticks - earlier.ticks);
}

}  // namespace airamp::telemetry
