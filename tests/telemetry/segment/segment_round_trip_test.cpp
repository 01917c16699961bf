// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cmath>
#include <limits>

#include "core/size_bucket.hpp"
#include "telemetry/segment/process_identity.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/telemetry/segment/round_trip.hpp"

namespace airamp::telemetry {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

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
  EXPECT_EQ(rank.finalized_seconds, 0);
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

TEST_F(RoundTrip, AddsUpTheTimeOfMessagesByFunction) {
  SegmentWriter writer = open();
  writer.add_message_time(1, 3'000'000);
  writer.add_message_time(1, 1'000'000);
  writer.add_message_time(0, 0);  // took nothing
  writer.add_message_time(9999, 1);
  const RankSnapshot rank = read();
  EXPECT_EQ(rank.times_messages, writer.times_messages());
  ASSERT_THAT(rank.message_times, SizeIs(1));
  EXPECT_EQ(rank.message_times[0].function, example_identity(0, 1).functions[1]);
  EXPECT_GT(rank.message_times[0].seconds, 0);
  const double once = rank.message_times[0].seconds;
  writer.add_message_time(1, 4'000'000);
  EXPECT_NEAR(read().message_times[0].seconds, 2 * once, 3e-9);  // whole nanoseconds, the first twice
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
  EXPECT_GE(rank.finalized_seconds, rank.started_seconds);
  EXPECT_LE(rank.finalized_seconds, rank.now_seconds);
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

TEST_F(RoundTrip, CountsWhereSuchCallsWereCountedBefore) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const std::uint64_t now = writer.now();
  layout::TrafficRow* row = nullptr;
  writer.end(writer.begin(world, 0, 1000, now), 1, 0, now, row);
  EXPECT_NE(row, nullptr);
  writer.end(writer.begin(world, 0, 1000, now), 1, 0, now, row);
  writer.end(writer.begin(world, 0, 1000, now), 1, 0, now);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.traffic, SizeIs(1));
  EXPECT_EQ(rank.traffic[0].calls, 3U);
  EXPECT_EQ(rank.traffic[0].bytes, 3000U);
}

TEST_F(RoundTrip, KeepsDecisionsUpToDate) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  DecisionFigures figures{.function = 0,
                          .size_bucket = static_cast<std::uint8_t>(size_bucket(5000)),
                          .path = 0,
                          .element = "float32",
                          .op = "sum",
                          .state = DecisionState::measuring,
                          .reason = Reason::measuring,
                          .why = "",
                          .speedup = std::numeric_limits<double>::quiet_NaN()};
  writer.set_decision(world, figures);
  figures.op = "max";
  writer.set_decision(world, figures);
  figures.op = "sum";
  figures.path = 1;
  figures.state = DecisionState::decided;
  figures.reason = Reason::fastest;
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
  EXPECT_EQ(rank.decisions[0].state, DecisionState::decided);
  EXPECT_EQ(rank.decisions[0].reason, Reason::fastest);
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
