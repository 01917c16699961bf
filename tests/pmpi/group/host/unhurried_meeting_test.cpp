// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/unhurried_meeting.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 3;
constexpr int many = 400;

/// What became of a communicator on which all calls are such.
struct Life {
  int first_call = 0;        ///< in which the ranks met; 0: in none
  std::uint64_t memory = 0;  ///< in which
  std::uint64_t lives = 0;   ///< communicators that came to meet there
  bool operator==(const Life&) const = default;
};

/// A communicator in which this rank has the number `place`, of at most so many calls, until the ranks meet. Barriers
/// keep them in step. `passes`: this rank then leaves a call to the MPI library that others may meet before.
/// `against_until`: before that call it is against it.
Life live(int place, int calls = many, bool passes = false, int against_until = 0) {
  Life life;
  MPI_Comm comm = MPI_COMM_NULL;
  native().Comm_split(MPI_COMM_WORLD, 0, place, &comm);
  UnhurriedMeeting unhurried;
  for (int call = 1; call <= calls && life.first_call == 0; ++call) {
    const Result<bool> begins = unhurried.begins(comm, place, ranks, call >= against_until);
    EXPECT_TRUE(begins.ok());
    if (!*begins) {
      native().MPI_Barrier(comm);
      continue;
    }
    EXPECT_EQ(unhurried.meeting()->meet(17)[0], 17U);
    life = {.first_call = call, .memory = unhurried.meeting()->memory().token(), .lives = unhurried.meeting()->lives()};
    if (passes) unhurried.meeting()->pass_by();
  }
  EXPECT_TRUE(unhurried.settle(place, ranks, 1));
  unhurried.leave();
  native().MPI_Comm_free(&comm);
  return life;
}

/// `body` on each rank, whether it leaves nothing, and what it returned.
template <class Body>
std::vector<std::vector<Life>> on_ranks(const Body& body) {
  std::vector<std::vector<Life>> lives(ranks);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    const AirampRank airamp;
    lives[static_cast<std::size_t>(rank)] = body(rank);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
  for (int rank = 1; rank < ranks; ++rank) EXPECT_EQ(lives[static_cast<std::size_t>(rank)], lives[0]);
  return lives;
}

TEST(UnhurriedMeeting, BeginsInTheSameCallOnAllRanks) {
  const std::vector<Life> lives = on_ranks([](int rank) { return std::vector{live(rank)}; })[0];
  EXPECT_GT(lives[0].first_call, 16);
}

TEST(UnhurriedMeeting, DoesNotBeginWhileARankIsAgainstIt) {
  constexpr int late = 200;
  for (const int against : {0, 1}) {
    const std::vector<Life> lives =
        on_ranks([&](int rank) { return std::vector{live(rank, many, false, rank == against ? late : 0)}; })[0];
    EXPECT_GT(lives[0].first_call, late);
  }
}

TEST(UnhurriedMeeting, OfALaterCommunicatorIsInTheSameMemory) {
  const std::vector<Life> lives = on_ranks([](int rank) { return std::vector{live(rank), live(rank), live(rank)}; })[0];
  for (std::size_t i = 0; i < lives.size(); ++i) {
    EXPECT_GT(lives[i].first_call, 16);
    EXPECT_EQ(lives[i].memory, lives[0].memory);
    EXPECT_EQ(lives[i].lives, i + 1);
  }
}

TEST(UnhurriedMeeting, OfAnotherOrderOfRanksIsInOtherMemory) {
  const std::vector<Life> lives = on_ranks([](int rank) {
    return std::vector{live(rank), live(ranks - 1 - rank), live(rank), live(ranks - 1 - rank)};
  })[0];
  EXPECT_NE(lives[1].memory, lives[0].memory);
  EXPECT_EQ(lives[2].memory, lives[0].memory);
  EXPECT_EQ(lives[3].memory, lives[1].memory);
}

// It cannot join, and nobody may wait for it. A later communicator has memory of its own.
TEST(UnhurriedMeeting, DoesNotBeginWhereARankHasLetGoOfTheMemory) {
  for (const int forgetful : {1, 2}) {
    const std::vector<Life> lives = on_ranks([&](int rank) {
      std::vector<Life> own{live(rank)};
      if (rank == forgetful) UnhurriedMeeting::release_kept();
      own.push_back(live(rank));
      own.push_back(live(rank));
      return own;
    })[0];
    EXPECT_EQ(lives[1], Life());
    EXPECT_GT(lives[2].first_call, 16);
    EXPECT_NE(lives[2].memory, lives[0].memory);
  }
}

TEST(UnhurriedMeeting, DoesNotBeginWhereARankIsElsewhereInTheMemory) {
  const std::vector<Life> lives = on_ranks([](int rank) {
    return std::vector{live(rank, many, rank == 1), live(rank), live(rank)};
  })[0];
  EXPECT_EQ(lives[1], Life());
  EXPECT_GT(lives[2].first_call, 16);
  EXPECT_NE(lives[2].memory, lives[0].memory);
}

TEST(UnhurriedMeeting, IsInNewMemoryWhereTheInvitingRankHasLetGoOfTheOld) {
  const std::vector<Life> lives = on_ranks([](int rank) {
    std::vector<Life> own{live(rank)};
    if (rank == 0) UnhurriedMeeting::release_kept();
    own.push_back(live(rank));
    return own;
  })[0];
  EXPECT_GT(lives[1].first_call, 16);
  EXPECT_NE(lives[1].memory, lives[0].memory);
}

TEST(UnhurriedMeeting, KeepsNothingOfACommunicatorWithoutInvitation) {
  const std::vector<Life> lives = on_ranks([](int rank) { return std::vector{live(rank, 15), live(rank)}; })[0];
  EXPECT_EQ(lives[0], Life());
  EXPECT_EQ(lives[1].lives, 1U);
}

}  // namespace
}  // namespace airamp::pmpi
