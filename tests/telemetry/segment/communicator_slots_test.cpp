// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// More communicators, kinds of calls and decisions than a segment has room for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/size_bucket.hpp"
#include "telemetry/segment/segment_reader.hpp"
#include "telemetry/segment/writer/segment_writer.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"
#include "tests/telemetry/segment/example_identity.hpp"
#include "tests/telemetry/segment/scratch_folder.hpp"

namespace airamp::telemetry {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class Slots : public testing::Test {
 protected:
  Slots() : writer_(SegmentWriter::open(folder_.path(), "job", example_identity(0, 1)).writer) {}

  void call(CommunicatorSlot slot, std::uint16_t function = 0, std::uint64_t bytes = 8) {
    const std::uint64_t now = writer_.now();
    writer_.end(writer_.begin(slot, function, bytes, now), 0, 0, now);
  }

  RankSnapshot read() {
    const JobSnapshot job = read_job(folder_.path(), "job");
    EXPECT_THAT(job.errors, IsEmpty());
    return job.ranks.at(0);
  }

  static std::uint64_t calls(const RankSnapshot& rank) {
    return std::accumulate(rank.traffic.begin(), rank.traffic.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const RankSnapshot::Traffic& row) { return sum + row.calls; });
  }

  ScratchFolder folder_;
  SegmentWriter writer_;
};

TEST_F(Slots, AreSharedOnceAllAreTaken) {
  std::vector<CommunicatorSlot> slots;
  for (std::uint64_t i = 1; i <= 70; ++i) {
    EXPECT_EQ(writer_.has_room(), i <= 64);
    slots.push_back(writer_.add_communicator(i, std::to_string(i), 2, 0));
  }
  for (const CommunicatorSlot slot : slots) call(slot);
  const RankSnapshot rank = read();
  ASSERT_THAT(rank.communicators, SizeIs(65));
  for (std::size_t i = 0; i < 64; ++i) {
    EXPECT_EQ(rank.communicators[i].key, i + 1);
    EXPECT_EQ(rank.communicators[i].collectives, 1U);
  }
  EXPECT_EQ(rank.communicators[64].key, 0U);
  EXPECT_EQ(rank.communicators[64].name, "other communicators");
  EXPECT_EQ(rank.communicators[64].collectives, 6U);
  EXPECT_EQ(calls(rank), 70U);
}

TEST_F(Slots, StayWhenFreedUntilTheyAreNeeded) {
  const CommunicatorSlot first = writer_.add_communicator(1, "first", 2, 0);
  call(first);
  writer_.free_communicator(first);
  ASSERT_THAT(read().communicators, SizeIs(1));
  EXPECT_TRUE(read().communicators[0].freed);
  EXPECT_EQ(read().communicators[0].name, "first");
  EXPECT_EQ(read().traffic.at(0).communicator, 0U);
}

TEST_F(Slots, LoseNoCallsWhenCommunicatorsComeAndGo) {
  const CommunicatorSlot world = writer_.add_communicator(1, "MPI_COMM_WORLD", 2, 0);
  for (std::uint64_t step = 0; step < 1000; ++step) {
    const CommunicatorSlot slot = writer_.add_communicator(100 + step, "of a step", 2, 0);
    EXPECT_NE(slot.index, layout::other_communicators);
    call(slot, 0, 8);
    call(slot, 1, 4096);
    call(world, 2, 0);
    writer_.free_communicator(slot);
  }
  const RankSnapshot rank = read();
  EXPECT_EQ(calls(rank), 3000U);
  EXPECT_EQ(rank.dropped, 0U);
  ASSERT_THAT(rank.communicators, SizeIs(65));
  EXPECT_EQ(rank.communicators[0].collectives, 1000U);
  // The last 63 have entries of their own; what went before went to the shared one.
  EXPECT_EQ(rank.communicators[64].collectives, 2U * (1000 - 63));
  for (const RankSnapshot::Traffic& traffic : rank.traffic) {
    const RankSnapshot::Communicator& communicator = rank.communicators[traffic.communicator];
    EXPECT_EQ(traffic.calls, communicator.name == "MPI_COMM_WORLD" ? 1000U : communicator.key == 0 ? 937U : 1U);
  }
  for (const RankSnapshot::Flight& flight : rank.flights) {
    // No flight of a communicator that is gone may pass for one of the communicator that took its entry.
    const RankSnapshot::Communicator& communicator = rank.communicators[flight.communicator];
    if (communicator.key >= 100) {
      EXPECT_LE(flight.sequence, 2U);
    }
  }
}

TEST_F(Slots, ShareRowsOnceTheTableIsFull) {
  std::uint64_t made = 0;
  for (std::uint64_t key = 1; key <= 60; ++key) {
    const CommunicatorSlot slot = writer_.add_communicator(key, "many sizes", 2, 0);
    for (unsigned shift = 0; shift < 40; ++shift, ++made) call(slot, 0, std::uint64_t{1} << shift);
  }
  const RankSnapshot rank = read();
  EXPECT_EQ(calls(rank) + rank.dropped, made);
  EXPECT_EQ(rank.dropped, 0U);
}

TEST_F(Slots, CountWhatIsDropped) {
  for (std::uint16_t function = 0; function < 3; ++function) {
    for (unsigned shift = 0; shift < 64; ++shift) call({}, function, std::uint64_t{1} << shift);
  }
  EXPECT_EQ(calls(read()), 192U);
  const CommunicatorSlot world = writer_.add_communicator(1, "MPI_COMM_WORLD", 2, 0);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const std::string op = "operation " + std::to_string(i);
    writer_.set_decision(world, {.element = "float32", .op = op, .state = DecisionState::decided});
  }
  const RankSnapshot rank = read();
  EXPECT_THAT(rank.decisions, SizeIs(layout::decisions));
  EXPECT_EQ(rank.dropped, 200 - layout::decisions);
}

TEST_F(Slots, AddUpWhatSharersPublish) {
  // One of 64 leaves its figures to the shared entry before others share that.
  std::vector<CommunicatorSlot> slots;
  for (std::uint64_t i = 1; i <= 64; ++i) slots.push_back(writer_.add_communicator(i, "own", 2, 0));
  writer_.set_pola(slots[0], {.events = 1000, .hits = 800, .misses = 20});
  writer_.set_waits(slots[0], 8, 16);
  writer_.free_communicator(slots[0]);
  EXPECT_TRUE(writer_.has_room());
  slots[0] = writer_.add_communicator(65, "own", 2, 0);
  CommunicatorSlot a = writer_.add_communicator(66, "a", 2, 0);
  const CommunicatorSlot b = writer_.add_communicator(67, "b", 2, 0);
  ASSERT_EQ(a.index, layout::other_communicators);
  ASSERT_EQ(b.index, layout::other_communicators);
  call(a);
  const auto shared = [this] { return read().communicators.at(64); };
  for (std::uint64_t n : {1U, 2U, 2U, 3U}) {
    writer_.set_pola(a, {.events = 10 * n, .hits = 5 * n, .misses = 2 * n});
    writer_.set_waits(a, 0.5 * static_cast<double>(n), 0.25 * static_cast<double>(n));
  }
  EXPECT_EQ(shared().pola_events, 1030U);
  writer_.set_pola(b, {.events = 7, .hits = 4, .misses = 1});
  writer_.set_waits(b, 0.125, 2);
  EXPECT_EQ(shared().pola_events, 1037U);
  EXPECT_EQ(shared().pola_hits, 819U);
  EXPECT_EQ(shared().pola_misses, 27U);
  EXPECT_DOUBLE_EQ(shared().lateness_seconds, 8 + 1.5 + 0.125);
  EXPECT_DOUBLE_EQ(shared().waiting_seconds, 16 + 0.75 + 2);
  // A communicator that comes after another begins anew, and takes nothing away.
  writer_.free_communicator(a);
  a = writer_.add_communicator(68, "after a", 2, 0);
  writer_.set_pola(a, {.events = 1});
  writer_.set_waits(a, 1, 0);
  EXPECT_EQ(shared().pola_events, 1038U);
  EXPECT_DOUBLE_EQ(shared().lateness_seconds, 8 + 1.5 + 0.125 + 1);
}

TEST_F(Slots, TakeANewName) {
  const CommunicatorSlot slot = writer_.add_communicator(1, "old", 2, 0);
  writer_.rename_communicator(slot, "new");
  EXPECT_EQ(read().communicators.at(0).name, "new");
  writer_.rename_communicator(slot, std::string(62, 'x') + "\u00E9\u00E9");
  EXPECT_EQ(read().communicators.at(0).name, std::string(62, 'x') + "\u00E9");
}

TEST_F(Slots, IgnoreFunctionsAndPathsWithoutAName) {
  const CommunicatorSlot world = writer_.add_communicator(1, "MPI_COMM_WORLD", 2, 0);
  EXPECT_EQ(writer_.begin(world, 3, 8, 1).row, nullptr);
  const Flight flight = writer_.begin(world, 2, 8, writer_.now());
  writer_.path(flight, 2);
  writer_.end(flight, 2, 0, writer_.now());
  const RankSnapshot rank = read();
  EXPECT_EQ(rank.traffic.at(0).path, "");
  EXPECT_EQ(rank.flights.at(0).path, "");
}

}  // namespace
}  // namespace airamp::telemetry
