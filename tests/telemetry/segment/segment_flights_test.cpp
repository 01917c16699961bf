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

// Calls that are known from those before them are published in fewer steps: nobody sees a difference.
TEST_F(RoundTrip, ShowsAlikeCallsAsAnyOthers) {
  Identity identity = example_identity(0, 1);
  identity.several_threads = false;
  SegmentWriter writer = SegmentWriter::open(folder_.path(), "job", identity).writer;
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  constexpr std::uint64_t bytes = 24;
  constexpr std::uint64_t ticks = 1'000'000;
  layout::TrafficRow* row = nullptr;
  const std::uint64_t now = writer.now();
  writer.end(writer.begin(world, 2, bytes, now, 1, Stage::native), 1, 0, now + ticks, row);
  const RankSnapshot first = read();
  ASSERT_THAT(first.traffic, SizeIs(1));

  const AlikeCalls calls = writer.alike(world, 2, bytes, 1, Stage::native, row);
  ASSERT_EQ(calls.row, row);
  constexpr std::uint64_t more = 600;  // more than there are entries
  for (std::uint64_t call = 0; call < more; ++call) {
    const Flight flight = writer.begin(calls, now);
    if (call == more - 1) {
      const RankSnapshot::Flight inside = read().flights.back();
      EXPECT_EQ(inside.sequence, 1 + more);
      EXPECT_EQ(inside.function, first.flights[0].function);
      EXPECT_EQ(inside.path, first.flights[0].path);
      EXPECT_EQ(inside.bytes, bytes);
      EXPECT_EQ(inside.stage, "native");
      EXPECT_EQ(inside.left_seconds, 0);
    }
    writer.end(calls, flight, now + ticks);
  }
  const RankSnapshot rank = read();
  EXPECT_THAT(rank.flights, SizeIs(layout::flights));
  EXPECT_EQ(rank.flights.back().stage, "done");
  const auto seconds_of = [](const RankSnapshot::Flight& flight) {
    return flight.left_seconds - flight.entered_seconds;
  };
  EXPECT_NEAR(seconds_of(rank.flights.back()), seconds_of(first.flights[0]), 0.05 * seconds_of(first.flights[0]));
  ASSERT_THAT(rank.traffic, SizeIs(1));
  EXPECT_EQ(rank.traffic[0].calls, 1 + more);
  EXPECT_EQ(rank.traffic[0].bytes, (1 + more) * bytes);
  EXPECT_NEAR(rank.traffic[0].seconds, static_cast<double>(1 + more) * first.traffic[0].seconds, 1e-3);
  for (std::size_t bucket = 0; bucket < latency_buckets; ++bucket) {
    EXPECT_EQ(rank.traffic[0].histogram[bucket], (1 + more) * first.traffic[0].histogram[bucket]);
  }
}

// As where a thread begins a session of MPI, which has a level of threads of its own.
TEST_F(RoundTrip, GoesOnWithSeveralThreadsFromOneAlone) {
  Identity identity = example_identity(0, 1);
  identity.several_threads = false;
  SegmentWriter writer = SegmentWriter::open(folder_.path(), "job", identity).writer;
  const CommunicatorSlot first = writer.add_communicator(7, "first", 4, 2);
  const CommunicatorSlot second = writer.add_communicator(8, "second", 4, 2);
  layout::TrafficRow* row = nullptr;
  writer.end(writer.begin(first, 2, 8, writer.now(), 1, Stage::native), 1, 0, writer.now(), row);
  ASSERT_NE(writer.alike(first, 2, 8, 1, Stage::native, row).row, nullptr);

  writer.expect_several_threads();
  EXPECT_EQ(writer.alike(first, 2, 8, 1, Stage::native, row).row, nullptr);
  const Flight lasting = writer.begin(first, 2, 8, writer.now());
  for (std::uint64_t call = 0; call < layout::flights; ++call) {
    const Flight flight = writer.begin(second, 2, 8, writer.now());
    EXPECT_NE(flight.row, lasting.row);  // by one thread alone each entry is taken in its turn
    writer.end(flight, 1, 0, writer.now());
  }
}

TEST_F(RoundTrip, HasNoAlikeCallsOfSeveralThreadsOrWithoutARow) {
  SegmentWriter writer = open();
  const CommunicatorSlot world = writer.add_communicator(7, "MPI_COMM_WORLD", 4, 2);
  layout::TrafficRow* row = nullptr;
  EXPECT_EQ(writer.alike(world, 2, 8, 1, Stage::native, row).row, nullptr);
  writer.end(writer.begin(world, 2, 8, writer.now()), 1, 0, writer.now(), row);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(writer.alike(world, 2, 8, 1, Stage::native, row).row, nullptr);
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
