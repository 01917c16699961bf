// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

#include "telemetry/call_counters.hpp"
#include "telemetry/segment/process_identity.hpp"
#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/segment_writer.hpp"
#include "telemetry/segment/segment_writer_calls.hpp"
#include "telemetry/segment/tick_clock.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class RoundTrip : public testing::Test {
 protected:
  SegmentWriter open(int rank = 0, int size = 1) {
    auto [writer, why_off] = SegmentWriter::open(folder_.path(), "job", example_identity(rank, size));
    EXPECT_THAT(why_off, IsEmpty());
    EXPECT_TRUE(writer.publishes());
    return std::move(writer);
  }

  RankSnapshot read() {
    JobSnapshot job = read_job(folder_.path(), "job");
    EXPECT_THAT(job.errors, IsEmpty());
    EXPECT_THAT(job.ranks, SizeIs(1));
    return job.ranks.empty() ? RankSnapshot{} : job.ranks.front();
  }

  static double measured_tick_length() {
    const ClockReading before = read_clocks(tick_clock_kind());
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return nanoseconds_per_tick(before, read_clocks(tick_clock_kind()));
  }

  ScratchFolder folder_;
  double length_ = measured_tick_length();
};

TEST_F(RoundTrip, SaysWhoPublishes) {
  const SegmentWriter writer = open(2, 4);
  const RankSnapshot rank = read();
  EXPECT_EQ(rank.job, "job");
  EXPECT_EQ(rank.host, "node1");
  EXPECT_EQ(rank.user, "someone");
  EXPECT_EQ(rank.rank, 2);
  EXPECT_EQ(rank.size, 4);
  EXPECT_EQ(rank.process, static_cast<std::uint64_t>(getpid()));
  EXPECT_EQ(rank.process_start, process_state(rank.process).start);
  EXPECT_TRUE(rank.alive);
  EXPECT_TRUE(rank.observable);
  EXPECT_EQ(rank.process_state, 'R');
  EXPECT_FALSE(rank.finalized);
  EXPECT_EQ(rank.version, "1.2.3");
  EXPECT_EQ(rank.mpi, "Some MPI 4");
  EXPECT_EQ(rank.architecture, "x86_64");
  EXPECT_EQ(rank.gpu, "A GPU");
  EXPECT_EQ(rank.program, "simulation");
  EXPECT_FALSE(rank.on);
  EXPECT_LE(rank.started_seconds, rank.now_seconds);
  EXPECT_NEAR(rank.now_seconds, static_cast<double>(time(nullptr)), 5);
  EXPECT_THAT(rank.communicators, IsEmpty());
  EXPECT_THAT(rank.traffic, IsEmpty());
  EXPECT_THAT(rank.decisions, IsEmpty());
  EXPECT_THAT(rank.flights, IsEmpty());
}

TEST_F(RoundTrip, KeepsWhatChanges) {
  SegmentWriter writer = open();
  writer.set_on(false, "disabled by the settings");
  EXPECT_EQ(read().why_off, "disabled by the settings");
  writer.set_on(true, "");
  writer.set_gpu("Another GPU");
  writer.add(Counter::agreements, 3);
  writer.add(Counter::agreements, 4);
  writer.add(Counter::tuning_calls, 5);
  writer.add(Counter::tuning_nanoseconds, 1'500'000'000);
  writer.set(Counter::device_scratch_bytes, 4096);
  writer.add(Counter::ghost_kernel_launches, 6);
  writer.finalize();
  const RankSnapshot rank = read();
  EXPECT_TRUE(rank.on);
  EXPECT_EQ(rank.why_off, "");
  EXPECT_EQ(rank.gpu, "Another GPU");
  EXPECT_EQ(rank.agreements, 7U);
  EXPECT_EQ(rank.tuning_calls, 5U);
  EXPECT_DOUBLE_EQ(rank.tuning_seconds, 1.5);
  EXPECT_EQ(rank.device_scratch_bytes, 4096U);
  EXPECT_EQ(rank.ghost_kernel_launches, 6U);
  EXPECT_TRUE(rank.finalized);
}

TEST_F(RoundTrip, CountsCallsByCommunicatorFunctionSizeAndPath) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const CommunicatorSlot row = writer.add_communicator(8, "row", 2, 1);
  const std::uint64_t now = writer.now();
  writer.end(writer.begin(world, 0, 1000, now), 0, 0, now);
  writer.end(writer.begin(world, 0, 1023, now), 0, 0, now);
  writer.end(writer.begin(world, 0, 1024, now), 1, 600, now);
  writer.end(writer.begin(row, 1, 8, now), 0, 0, now);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.communicators, SizeIs(2));
  EXPECT_EQ(rank.communicators[0].key, 7U);
  EXPECT_EQ(rank.communicators[0].name, "MPI_COMM_WORLD");
  EXPECT_EQ(rank.communicators[0].size, 4);
  EXPECT_EQ(rank.communicators[0].rank, 2);
  EXPECT_EQ(rank.communicators[0].collectives, 3U);
  EXPECT_EQ(rank.communicators[1].collectives, 1U);
  ASSERT_THAT(rank.traffic, SizeIs(3));
  EXPECT_EQ(rank.traffic[0].function, "MPI_Allreduce");
  EXPECT_EQ(rank.traffic[0].communicator, 0U);
  EXPECT_EQ(rank.traffic[0].size, 512U);
  EXPECT_EQ(rank.traffic[0].path, "native");
  EXPECT_EQ(rank.traffic[0].calls, 2U);
  EXPECT_EQ(rank.traffic[0].bytes, 2023U);
  EXPECT_EQ(rank.traffic[0].wire_bytes, 0U);
  EXPECT_EQ(rank.traffic[1].size, 1024U);
  EXPECT_EQ(rank.traffic[1].path, "mpi-two-shot");
  EXPECT_EQ(rank.traffic[1].wire_bytes, 600U);
  EXPECT_EQ(rank.traffic[2].function, "MPI_Bcast");
  EXPECT_EQ(rank.traffic[2].communicator, 1U);
  EXPECT_EQ(rank.traffic[2].size, 8U);
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
  const auto call = [&](double seconds) {
    // Well inside of a bucket whatever the clock's rate is measured to be.
    const double ticks = seconds * 1e9 / length_;
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

TEST_F(RoundTrip, RecordsTheLastFlights) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  for (std::uint64_t call = 1; call <= 1000; ++call) {
    const Flight flight = writer.begin(world, 0, call, writer.now());
    writer.end(flight, 1, 0, writer.now());
  }
  const Flight open_flight = writer.begin(world, 2, 0, writer.now());
  EXPECT_EQ(read().flights.back().stage, "entered");
  writer.stage(open_flight, Stage::exchange);
  writer.path(open_flight, 1);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.flights, SizeIs(layout::flights));
  for (std::size_t i = 0; i + 1 < rank.flights.size(); ++i) {
    EXPECT_EQ(rank.flights[i].sequence, 1001 - layout::flights + 1 + i);
    EXPECT_EQ(rank.flights[i].bytes, rank.flights[i].sequence);
    EXPECT_EQ(rank.flights[i].stage, "done");
    EXPECT_GT(rank.flights[i].left_seconds, 0);
  }
  EXPECT_EQ(rank.flights.back().sequence, 1001U);
  EXPECT_EQ(rank.flights.back().function, "MPI_Barrier");
  EXPECT_EQ(rank.flights.back().stage, "exchange");
  EXPECT_EQ(rank.flights.back().path, "mpi-two-shot");
  EXPECT_EQ(rank.flights.back().left_seconds, 0);
}

TEST_F(RoundTrip, KeepsAFlightThatLastsWhileOthersPass) {
  SegmentWriter writer = open();
  const CommunicatorSlot slow = writer.add_communicator(7, "slow", 4, 2);
  const CommunicatorSlot fast = writer.add_communicator(8, "fast", 4, 2);
  const Flight lasting = writer.begin(slow, 2, 0, writer.now());
  for (int call = 0; call < 1000; ++call) writer.end(writer.begin(fast, 0, 8, writer.now()), 0, 0, writer.now());
  EXPECT_EQ(read().flights.front().function, "MPI_Barrier");
  EXPECT_EQ(read().flights.front().left_seconds, 0);
  writer.end(lasting, 0, 0, writer.now());
  EXPECT_GT(read().flights.front().left_seconds, 0);
}

TEST_F(RoundTrip, KeepsDecisionsUpToDate) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  DecisionFigures figures{.function = 0,
                          .size_bucket = static_cast<std::uint8_t>(size_bucket(5000)),
                          .path = 0,
                          .element = "float32",
                          .op = "sum",
                          .state = "measuring",
                          .why = "",
                          .speedup = std::numeric_limits<double>::quiet_NaN()};
  writer.set_decision(world, figures);
  figures.op = "max";
  writer.set_decision(world, figures);
  figures.op = "sum";
  figures.path = 1;
  figures.state = "decided";
  figures.why = "fastest";
  figures.speedup = 1.5;
  figures.relative_error = 0.01;
  figures.native_seconds = 3e-3;
  figures.airamp_seconds = 2e-3;
  writer.set_decision(world, figures);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.decisions, SizeIs(2));
  EXPECT_EQ(rank.decisions[0].function, "MPI_Allreduce");
  EXPECT_EQ(rank.decisions[0].size, 4096U);
  EXPECT_EQ(rank.decisions[0].element, "float32");
  EXPECT_EQ(rank.decisions[0].op, "sum");
  EXPECT_EQ(rank.decisions[0].path, "mpi-two-shot");
  EXPECT_EQ(rank.decisions[0].state, "decided");
  EXPECT_EQ(rank.decisions[0].why, "fastest");
  EXPECT_EQ(rank.decisions[0].speedup, 1.5);
  EXPECT_EQ(rank.decisions[0].relative_error, 0.01);
  EXPECT_EQ(rank.decisions[0].native_seconds, 3e-3);
  EXPECT_EQ(rank.decisions[0].airamp_seconds, 2e-3);
  EXPECT_EQ(rank.decisions[1].op, "max");
  EXPECT_TRUE(std::isnan(rank.decisions[1].speedup));
}

TEST_F(RoundTrip, KeepsPolaAndWaits) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  EXPECT_EQ(read().communicators.at(0).pola_state, "off");
  writer.set_pola(world, {.state = PolaState::locked, .period = 6, .events = 100, .hits = 80, .misses = 2});
  writer.set_waits(world, 1.25, 2.5);
  const RankSnapshot::Communicator communicator = read().communicators.at(0);
  EXPECT_EQ(communicator.pola_state, "locked");
  EXPECT_EQ(communicator.pola_period, 6U);
  EXPECT_EQ(communicator.pola_events, 100U);
  EXPECT_EQ(communicator.pola_hits, 80U);
  EXPECT_EQ(communicator.pola_misses, 2U);
  EXPECT_DOUBLE_EQ(communicator.lateness_seconds, 1.25);
  EXPECT_DOUBLE_EQ(communicator.waiting_seconds, 2.5);
}

TEST_F(RoundTrip, LosesNothingBetweenThreads) {
  constexpr int threads = 4;
  constexpr std::uint64_t calls = 20000;
  SegmentWriter writer = open();
  std::vector<std::thread> running;
  for (std::uint64_t thread = 0; thread < threads; ++thread) {
    running.emplace_back([&writer, thread] {
      const CommunicatorSlot slot = writer.add_communicator(thread + 1, "own", 2, 0);
      for (std::uint64_t call = 0; call < calls; ++call) {
        const std::uint64_t now = writer.now();
        writer.end(writer.begin(slot, 0, 8, now), 0, 3, now + 1);
        writer.end(writer.begin({}, 1, 16, now), 0, 0, now + 1);
      }
    });
  }
  for (std::thread& thread : running) thread.join();
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.communicators, SizeIs(threads + 1));
  std::uint64_t total = 0;
  for (const RankSnapshot::Traffic& traffic : rank.traffic) {
    const bool shared = rank.communicators[traffic.communicator].key == 0;
    EXPECT_EQ(traffic.calls, shared ? threads * calls : calls);
    EXPECT_EQ(traffic.bytes, shared ? threads * calls * 16 : calls * 8);
    EXPECT_EQ(traffic.wire_bytes, shared ? 0 : calls * 3);
    total += traffic.calls;
  }
  EXPECT_EQ(total, 2 * threads * calls);
  EXPECT_EQ(rank.dropped, 0U);
}

TEST_F(RoundTrip, ShowsOnlyWholeFlightsWhileTheyAreWritten) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  std::atomic<bool> stop{false};
  std::thread busy([&] {
    for (std::uint64_t call = 1; !stop.load(); ++call) {
      const std::uint64_t now = writer.now();
      writer.end(writer.begin(world, static_cast<std::uint16_t>(call % 3), call, now), 0, 0, now);
    }
  });
  std::size_t seen = 0;
  for (int look = 0; look < 200; ++look) {
    for (const RankSnapshot::Flight& flight : read().flights) {
      ++seen;
      EXPECT_EQ(flight.bytes, flight.sequence);
      EXPECT_EQ(flight.function, example_functions[flight.sequence % 3]);
    }
  }
  stop = true;
  busy.join();
  EXPECT_GT(seen, 0U);
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

TEST_F(RoundTrip, DoesNothingWithoutASegment) {
  SegmentWriter writer;
  EXPECT_FALSE(writer.publishes());
  const CommunicatorSlot slot = writer.add_communicator(1, "x", 1, 0);
  EXPECT_EQ(slot.index, layout::other_communicators);
  const Flight flight = writer.begin(slot, 0, 8, writer.now());
  EXPECT_EQ(flight.row, nullptr);
  EXPECT_EQ(writer.nanoseconds_since_open(writer.now()), 0);
  writer.stage(flight, Stage::exchange);
  writer.path(flight, 1);
  writer.end(flight, 0, 0, writer.now());
  writer.set_decision(slot, {});
  writer.set_pola(slot, {});
  writer.set_waits(slot, 1, 1);
  writer.add(Counter::agreements, 1);
  writer.set_on(true, "");
  writer.free_communicator(slot);
  writer.finalize();
  EXPECT_EQ(writer.file(), "");
}

}  // namespace
}  // namespace airamp::telemetry
