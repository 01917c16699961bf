// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <atomic>
#include <thread>
#include <vector>

#include "tests/telemetry/segment/round_trip.hpp"

namespace airamp::telemetry {
namespace {

using testing::SizeIs;

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

TEST_F(RoundTrip, ShowsAPathThatIsKnownFromTheStart) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  const Flight flight = writer.begin(world, 2, 8, writer.now(), 1, Stage::exchange);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.flights, SizeIs(1));
  EXPECT_EQ(rank.flights[0].stage, "exchange");
  EXPECT_EQ(rank.flights[0].path, "mpi-two-shot");
  EXPECT_EQ(rank.flights[0].left_seconds, 0);
  writer.end(flight, 1, 0, writer.now());
  EXPECT_EQ(read().flights[0].stage, "done");
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

}  // namespace
}  // namespace airamp::telemetry
