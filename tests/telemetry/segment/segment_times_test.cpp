// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <array>
#include <chrono>
#include <thread>

#include "telemetry/segment/tick_clock.hpp"
#include "tests/telemetry/segment/round_trip.hpp"

namespace airamp::telemetry {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

double measured_tick_length() {
  const ClockReading before = read_clocks(tick_clock_kind());
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return nanoseconds_per_tick(before, read_clocks(tick_clock_kind()));
}

TEST_F(RoundTrip, MeasuresDurationsInSeconds) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const Flight flight = writer.begin(world, 0, 8, writer.now());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writer.refresh_clock();
  writer.end(flight, 0, 0, writer.now());
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.traffic, SizeIs(1));
  // A sleep never ends early, and at its worst on a busy machine takes seconds.
  EXPECT_GT(rank.traffic[0].seconds, 0.0199);
  EXPECT_LT(rank.traffic[0].seconds, 20.0);
  std::size_t bucket = 0;
  while (rank.traffic[0].histogram[bucket] == 0) ++bucket;
  EXPECT_LE(rank.traffic[0].seconds, latency_bound(bucket));
  EXPECT_GT(rank.traffic[0].seconds, latency_bound(bucket - 1));
  ASSERT_THAT(rank.flights, SizeIs(1));
  EXPECT_NEAR(rank.flights[0].left_seconds - rank.flights[0].entered_seconds, rank.traffic[0].seconds,
              0.01 * rank.traffic[0].seconds);
  EXPECT_GE(rank.flights[0].entered_seconds, rank.started_seconds - 1e-3);
  EXPECT_LE(rank.flights[0].left_seconds, rank.now_seconds + 1e-3);
}

TEST_F(RoundTrip, TellsNanosecondsThatCalibrationsDoNotMove) {
  SegmentWriter writer = open();
  const ClockReading before = read_clocks(tick_clock_kind());
  const std::int64_t first = writer.nanoseconds_since_open(before.ticks);
  EXPECT_GE(first, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writer.refresh_clock();
  EXPECT_EQ(writer.nanoseconds_since_open(before.ticks), first);
  const ClockReading after = read_clocks(tick_clock_kind());
  const auto passed = static_cast<double>(after.monotonic_ns - before.monotonic_ns);
  EXPECT_NEAR(static_cast<double>(writer.nanoseconds_since_open(after.ticks) - first), passed, 0.01 * passed);
}

TEST_F(RoundTrip, PutsDurationsIntoTheirBuckets) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const std::uint64_t now = writer.now();
  const double length = measured_tick_length();
  const auto call = [&](double seconds) {
    // Well inside of a bucket whatever the clock's rate is measured to be.
    const double ticks = seconds * 1e9 / length;
    writer.end(writer.begin(world, 0, 8, now), 0, 0, now + static_cast<std::uint64_t>(ticks));
  };
  call(0);
  call(0.75 * 256e-9);
  call(1.5 * 256e-9);
  call(1.5 * 256e-9 * 1024);
  call(1e6);
  const RankSnapshot rank = read();
  std::array<std::uint64_t, latency_buckets> expected{};
  expected[0] = 2;
  expected[1] = 1;
  expected[11] = 1;
  expected[27] = 1;
  EXPECT_EQ(rank.traffic.at(0).histogram, expected);
  EXPECT_EQ(rank.traffic.at(0).calls, 5U);
}

TEST_F(RoundTrip, TakesATimeThatGoesBackForNone) {
  SegmentWriter writer = open();
  const std::uint64_t now = writer.now();
  writer.end(writer.begin({}, 0, 8, now), 0, 0, now - 1000);
  const RankSnapshot rank = read();
  EXPECT_EQ(rank.traffic.at(0).seconds, 0);
  EXPECT_EQ(rank.flights.at(0).left_seconds, rank.flights.at(0).entered_seconds);
}

TEST_F(RoundTrip, CanBeReadOnAnotherHost) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const double before = static_cast<double>(clock_ns(CLOCK_REALTIME)) * 1e-9;
  const Flight flight = writer.begin(world, 0, 8, writer.now());
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  writer.end(flight, 0, 0, writer.now());
  const double after = static_cast<double>(clock_ns(CLOCK_REALTIME)) * 1e-9;
  writer.refresh_clock();
  Observer elsewhere = Observer::here();
  elsewhere.space.boot = "another host's";
  elsewhere.now.ticks = 1;
  elsewhere.now.monotonic_ns = 1;
  const Decoded decoded = read_segment(writer.file(), elsewhere);
  ASSERT_THAT(decoded.error, IsEmpty());
  EXPECT_FALSE(decoded.snapshot.observable);
  EXPECT_TRUE(decoded.snapshot.alive);
  EXPECT_EQ(decoded.snapshot.process_state, 0);
  const RankSnapshot::Flight& seen = decoded.snapshot.flights.at(0);
  EXPECT_GE(seen.entered_seconds, before - 1e-3);
  EXPECT_LE(seen.left_seconds, after + 1e-3);
  EXPECT_GE(seen.left_seconds - seen.entered_seconds, 0.0199);
  writer.finalize();
  EXPECT_FALSE(read_segment(writer.file(), elsewhere).snapshot.alive);
}

}  // namespace
}  // namespace airamp::telemetry
