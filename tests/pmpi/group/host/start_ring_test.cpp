// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/start_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace airamp::pmpi {
namespace {

/// All ranks of a host in one thread, in whatever order a test has them go on.
class Host {
 public:
  explicit Host(int ranks, const StartRing::Division& division = StartRing::for_short)
      : max_bytes_(division.max_bytes),
        memory_((StartRing::shared_bytes(ranks, division) + alignment - 1) / alignment),
        ranks_(static_cast<std::size_t>(ranks)) {
    for (int rank = 0; rank < ranks; ++rank)
      ranks_[static_cast<std::size_t>(rank)].ring =
          std::make_unique<StartRing>(memory_.front().bytes, rank, ranks, division);
  }

  /// Rank `rank` makes its next start. Whether it is left in the ring.
  bool start(int rank, bool wanted = true) {
    Rank& own = ranks_[static_cast<std::size_t>(rank)];
    const std::size_t call = own.left_here.size();
    own.left_here.push_back(own.ring->next(wanted));
    if (!own.left_here.back()) return false;
    const std::uint64_t value = value_of(rank, call);
    std::byte* const place = own.ring->own();
    std::memset(place, 0xff, max_bytes_);  // nobody else's
    std::memcpy(place, &value, sizeof value);
    std::memcpy(place + max_bytes_ - sizeof value, &value, sizeof value);
    own.ring->leave();
    own.running.push_back({own.ring->number(), call});
    return true;
  }

  /// Rank `rank` takes the vectors of its oldest start, if all are there. Whether it could.
  bool complete(int rank) {
    Rank& own = ranks_[static_cast<std::size_t>(rank)];
    if (own.running.empty()) return false;
    const auto [number, call] = own.running.front();
    const int ranks = static_cast<int>(ranks_.size());
    const int missing = own.ring->first_missing(number);
    if (missing != ranks) {
      EXPECT_LE(ranks_[static_cast<std::size_t>(missing)].left_here.size(), call) << "who is missing has not started";
      return false;
    }
    for (int other = 0; other < ranks; ++other) {
      const std::byte* const vector = own.ring->vectors(number).of(static_cast<std::size_t>(other));
      for (const std::size_t at : {std::size_t{0}, max_bytes_ - sizeof(std::uint64_t)}) {
        std::uint64_t value = 0;
        std::memcpy(&value, vector + at, sizeof value);
        EXPECT_EQ(value, value_of(other, call)) << at;
      }
    }
    own.ring->done(number);
    own.running.pop_front();
    return true;
  }

  bool are_all_done(int rank) const { return ranks_[static_cast<std::size_t>(rank)].ring->are_all_done(); }
  std::size_t running(int rank) const { return ranks_[static_cast<std::size_t>(rank)].running.size(); }
  const std::vector<bool>& left_here(int rank) const { return ranks_[static_cast<std::size_t>(rank)].left_here; }

 private:
  static constexpr std::size_t alignment = 128;
  struct alignas(alignment) Line {
    std::byte bytes[alignment];
  };
  struct Running {
    std::uint64_t number;
    std::size_t call;
  };
  struct Rank {
    std::unique_ptr<StartRing> ring;
    std::vector<bool> left_here;  ///< by call
    std::deque<Running> running;
  };

  static std::uint64_t value_of(int rank, std::size_t call) { return 1000 * call + static_cast<std::uint64_t>(rank); }

  std::size_t max_bytes_;
  std::vector<Line> memory_;
  std::vector<Rank> ranks_;
};

TEST(StartRing, DecidesOnAsManyStartsAtOnceAsItIsToldTo) {
  for (const std::uint64_t window : {std::uint64_t{1}, StartRing::for_short.window}) {
    Host host(2, {.max_bytes = 100, .places = 8, .window = window});
    for (const int rank : {0, 1}) EXPECT_TRUE(host.start(rank, true));
    // who comes first to the next start has changed its mind
    for (const int rank : {1, 0}) EXPECT_EQ(host.start(rank, rank == 0), window != 1) << window;
  }
}

TEST(StartRing, IsCompleteOnceAllHaveStarted) {
  Host host(3);
  EXPECT_TRUE(host.start(0));
  EXPECT_TRUE(host.start(2));
  EXPECT_FALSE(host.complete(0));
  EXPECT_TRUE(host.start(1));
  for (int rank = 0; rank < 3; ++rank) EXPECT_TRUE(host.complete(rank));
}

TEST(StartRing, WhoIsFarAheadFindsNoRoomAndOthersLearnIt) {
  constexpr int calls = 200;
  Host host(2);
  for (int call = 0; call < calls; ++call) host.start(0);
  EXPECT_EQ(host.running(0), StartRing::for_short.places);
  for (int call = 0; call < calls; ++call) {
    host.start(1);
    host.complete(1);
  }
  EXPECT_EQ(host.left_here(0), host.left_here(1));
  while (host.complete(0)) {
  }
  EXPECT_EQ(host.running(0) + host.running(1), 0U);
}

TEST(StartRing, HasTheRoomThatItIsGiven) {
  constexpr std::uint64_t room = 8;
  Host host(3, {.max_bytes = 2047, .places = room, .window = 4});
  for (std::uint64_t call = 0; call < 2 * room; ++call) host.start(0);
  EXPECT_EQ(host.running(0), room);
  for (std::uint64_t call = 0; call < 2 * room; ++call) {
    for (const int rank : {1, 2}) host.start(rank);
  }
  for (int rank = 0; rank < 3; ++rank) {
    EXPECT_EQ(host.left_here(rank), host.left_here(0));
    for (std::uint64_t call = 0; call < room; ++call) EXPECT_TRUE(host.complete(rank));
  }
}

TEST(StartRing, SaysWhetherAllAreDone) {
  Host host(2);
  EXPECT_TRUE(host.are_all_done(0)) << "with nothing";
  host.start(0);
  EXPECT_FALSE(host.are_all_done(0));
  host.start(1);
  EXPECT_TRUE(host.complete(0));
  EXPECT_FALSE(host.are_all_done(0)) << "the other rank has yet to read";
  EXPECT_TRUE(host.complete(1));
  EXPECT_TRUE(host.are_all_done(0));
  EXPECT_TRUE(host.are_all_done(1));
}

TEST(StartRing, ThereIsRoomAgainBehindAPause) {
  constexpr int pause = 64;
  Host host(2);
  for (std::uint64_t call = 0; call < StartRing::for_short.places + pause; ++call) host.start(0);
  for (std::uint64_t call = 0; call < StartRing::for_short.places + pause; ++call) {
    host.start(1);
    host.complete(1);
  }
  while (host.complete(0)) {
  }
  EXPECT_TRUE(host.start(0));
  EXPECT_TRUE(host.start(1));
  EXPECT_TRUE(host.complete(0));
}

TEST(StartRing, WhoComesFirstSaysWhetherItIsWanted) {
  Host host(2);
  EXPECT_FALSE(host.start(1, false));
  EXPECT_FALSE(host.start(0, true));
  Host other(2);
  EXPECT_TRUE(other.start(0, true));
  EXPECT_TRUE(other.start(1, false));
}

class Orders : public ::testing::TestWithParam<int> {};

// Whatever each rank wants and how far it is ahead, all do the same in each call, and each finds what the others left.
TEST_P(Orders, AllRanksDoTheSame) {
  const int ranks = GetParam();
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    Host host(ranks, {.max_bytes = 100, .places = seed % 2 == 0 ? 16U : 4U, .window = seed % 2 == 0 ? 4U : 1U});
    const unsigned unwanted = seed % 3 == 0 ? 20 : 1000;  // one in so many
    std::vector<unsigned> haste(static_cast<std::size_t>(ranks));
    for (int step = 0; step < 3000; ++step) {
      if (step % 100 == 0) {
        for (unsigned& own : haste) own = random() % 8;
      }
      const int rank = static_cast<int>(random() % static_cast<unsigned>(ranks));
      if (random() % 8 <= haste[static_cast<std::size_t>(rank)]) host.start(rank, random() % unwanted != 0);
      if (random() % 4 != 0) host.complete(rank);
    }
    std::size_t most = 0;
    for (int rank = 0; rank < ranks; ++rank) most = std::max(most, host.left_here(rank).size());
    for (int rank = 0; rank < ranks; ++rank) {
      while (host.left_here(rank).size() < most) host.start(rank);
    }
    for (bool any = true; any;) {
      any = false;
      for (int rank = 0; rank < ranks; ++rank) any = host.complete(rank) || any;
    }
    for (int rank = 0; rank < ranks; ++rank) {
      ASSERT_EQ(host.left_here(rank), host.left_here(0)) << "seed " << seed;
      ASSERT_EQ(host.running(rank), 0U) << "seed " << seed;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, Orders, ::testing::Values(2, 3, 5));

}  // namespace
}  // namespace airamp::pmpi
