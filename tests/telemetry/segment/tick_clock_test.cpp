// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/tick_clock.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace airamp::telemetry {
namespace {

TEST(TickClock, IsACounterOfTheProcessorOnlyWhereLinuxTakesTheTimeFromIt) {
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  file >> source;
  EXPECT_TRUE(tick_clock_kind() != layout::ClockKind::time_stamp_counter || source == "tsc") << source;
}

TEST(TickClock, RunsAsEvenlyAsTheMonotonicClock) {
  const ClockReading first = read_clocks(tick_clock_kind());
  const auto wait_until = [&](std::uint64_t monotonic_ns) {
    while (clock_ns(CLOCK_MONOTONIC) < monotonic_ns) {
    }
    return read_clocks(tick_clock_kind());
  };
  const ClockReading second = wait_until(first.monotonic_ns + 10'000'000);
  const ClockReading third = wait_until(second.monotonic_ns + 10'000'000);
  const double length = nanoseconds_per_tick(first, second);
  EXPECT_GT(length, 0);
  EXPECT_NEAR(nanoseconds_per_tick(second, third), length, 0.01 * length);
}

}  // namespace
}  // namespace airamp::telemetry
