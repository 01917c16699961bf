// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_posted_call.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>
#include <vector>

#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/mpi/native.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"
#include "tests/pmpi/entry/posted_calls.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

void in_all_ranks(const std::function<void(int rank)>& program) { in_forced_ranks(ranks, program); }

/// For longer than a brief call waits.
void come_late() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

std::uint64_t counted(Function function) { return job().counters.calls(static_cast<std::size_t>(function)); }

/// So many calls that the next one is posted briefly: the first are looked at, and one in 16 is timed.
template <class Calls>
void repeat_until_brief(Calls&& calls) {
  for (int i = 0; i < 18; ++i) ASSERT_EQ(calls.call(), MPI_SUCCESS);
}

template <class Calls>
void expect_right_calls(Calls& calls, int count) {
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(calls.call(), MPI_SUCCESS);
    calls.expect_right();
  }
}

/// A call that is brief behind those that it takes for that, and to which one rank comes late, if it is one of them.
template <class Calls>
void expect_brief(int rank, std::size_t elements, int root, Function function, int late = -1) {
  Calls calls(rank, elements, root);
  repeat_until_brief(calls);
  const std::uint64_t carried = only_signature()->accelerated_calls;
  const std::uint64_t counted_before = counted(function);
  if (rank == late) come_late();
  EXPECT_EQ(calls.briefly(), MPI_SUCCESS);
  calls.expect_right();
  EXPECT_EQ(only_signature()->accelerated_calls, carried + 1);
  EXPECT_EQ(counted(function), counted_before + 1);
}

/// To or from each root in turn.
template <class Calls>
void expect_brief_with_each_root(std::size_t elements, Function function) {
  in_all_ranks([&](int rank) {
    for (int root = 0; root < ranks; ++root) expect_brief<Calls>(rank, elements, root, function);
  });
}

class BriefPosts : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BriefPosts, ReduceRight) { expect_brief_with_each_root<Reduces>(GetParam(), Function::MPI_Reduce); }

TEST_P(BriefPosts, BroadcastRight) { expect_brief_with_each_root<Broadcasts>(GetParam(), Function::MPI_Bcast); }

TEST_P(BriefPosts, ScatterRight) { expect_brief_with_each_root<Scatters>(GetParam(), Function::MPI_Scatter); }

TEST_P(BriefPosts, ScatterUnevenlyRight) {
  expect_brief_with_each_root<UnevenScatters>(GetParam(), Function::MPI_Scatterv);
}

INSTANTIATE_TEST_SUITE_P(Elements, BriefPosts, ::testing::Values(1, 7, 16, 17, 26, 27, 64, 300));

TEST(BriefPostedCall, ReducesInPlace) {
  in_all_ranks([](int rank) {
    Reduces reduces(rank, 3, 1, true);
    repeat_until_brief(reduces);
    EXPECT_EQ(reduces.briefly(), MPI_SUCCESS);
    reduces.expect_right();
  });
}

// MPI does not allow it, and its libraries do not mind.
TEST(BriefPostedCall, ReducesWhatTheOthersGiveToARootThatGivesMore) {
  in_all_ranks([](int rank) {
    constexpr int root = 1;
    constexpr std::size_t given_by_others = 3;
    Reduces reduces(rank, given_by_others, root);
    repeat_until_brief(reduces);
    for (int call = 0; call < 3; ++call) {
      const std::size_t count = rank == root ? 300 : given_by_others;
      const std::vector<int> given(count, rank + 1);
      std::vector<int> result(count, -1);
      EXPECT_EQ(
          on_MPI_Reduce(given.data(), result.data(), static_cast<int>(count), MPI_INT, MPI_SUM, root, MPI_COMM_WORLD),
          MPI_SUCCESS);
      std::vector<int> expected(count, -1);
      if (rank == root) std::fill_n(expected.begin(), given_by_others, 1 + 2 + 3);
      EXPECT_EQ(result, expected);
      expect_right_calls(reduces, call);
    }
  });
}

// As the MPI library does with a message for which there is no room.
TEST(BriefPostedCall, TruncatesWhatTheOthersGiveToARootThatGivesFewer) {
  in_all_ranks([](int rank) {
    constexpr int root = 1;
    constexpr std::size_t given_by_others = 300;
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    Reduces longer(rank, given_by_others, root);
    repeat_until_brief(longer);
    Reduces shorter(rank, 3, root);
    repeat_until_brief(shorter);
    for (int call = 0; call < 3; ++call) {
      const std::vector<int> given(rank == root ? 3 : given_by_others, 1);
      std::vector<int> result(given.size(), -1);
      const int error = on_MPI_Reduce(given.data(), result.data(), static_cast<int>(given.size()), MPI_INT, MPI_SUM,
                                      root, MPI_COMM_WORLD);
      EXPECT_EQ(error, rank == root ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
      EXPECT_THAT(result, ::testing::Each(-1));
      expect_right_calls(longer, call);
      expect_right_calls(shorter, call);
    }
  });
}

TEST(BriefPostedCall, ScattersInPlace) {
  in_all_ranks([](int rank) {
    Scatters scatters(rank, 3, 1, true);
    repeat_until_brief(scatters);
    EXPECT_EQ(scatters.briefly(), MPI_SUCCESS);
    scatters.expect_right();
    UnevenScatters uneven(rank, 3, 1, true);
    repeat_until_brief(uneven);
    EXPECT_EQ(uneven.briefly(), MPI_SUCCESS);
    uneven.expect_right();
  });
}

/// A rank is late.
class LateRank : public ::testing::TestWithParam<int> {};

TEST_P(LateRank, IsWaitedForInAReduce) {
  in_all_ranks([&](int rank) { expect_brief<Reduces>(rank, 2, 0, Function::MPI_Reduce, GetParam()); });
}

TEST_P(LateRank, IsWaitedForInABroadcast) {
  in_all_ranks([&](int rank) { expect_brief<Broadcasts>(rank, 2, 0, Function::MPI_Bcast, GetParam()); });
}

TEST_P(LateRank, IsWaitedForInAScatter) {
  in_all_ranks([&](int rank) { expect_brief<Scatters>(rank, 2, 0, Function::MPI_Scatter, GetParam()); });
}

TEST_P(LateRank, IsWaitedForInAScatterv) {
  in_all_ranks([&](int rank) { expect_brief<UnevenScatters>(rank, 2, 0, Function::MPI_Scatterv, GetParam()); });
}

INSTANTIATE_TEST_SUITE_P(Ranks, LateRank, ::testing::Range(0, ranks));

// More calls than there are places.
TEST(BriefPostedCall, GoesOnWhereNoRoomIsLeft) {
  in_all_ranks([](int rank) {
    Reduces reduces(rank, 2, 0);
    repeat_until_brief(reduces);
    Broadcasts broadcasts(rank, 2, 0);
    repeat_until_brief(broadcasts);
    if (rank == 0) come_late();
    expect_right_calls(reduces, 40);
    if (rank == 1) come_late();
    expect_right_calls(broadcasts, 40);
    Scatters scatters(rank, 2, 0);
    repeat_until_brief(scatters);
    if (rank == 2) come_late();
    expect_right_calls(scatters, 40);
    UnevenScatters uneven(rank, 2, 0);
    repeat_until_brief(uneven);
    if (rank == 1) come_late();
    expect_right_calls(uneven, 40);
  });
}

// An erroneous program that works natively: the root sends less than the others have room for.
TEST(BriefPostedCall, TakesWhatIsShorterThanItsRoom) {
  in_all_ranks([](int rank) {
    repeat_until_brief(Broadcasts(rank, 10, 0));
    for (int i = 0; i < 40; ++i) {
      std::vector<int> values(10, rank == 0 ? i : -1);
      EXPECT_EQ(on_MPI_Bcast(values.data(), rank == 0 ? 9 : 10, MPI_INT, 0, MPI_COMM_WORLD), MPI_SUCCESS);
      std::vector<int> expected(10, i);
      if (rank != 0) expected.back() = -1;
      EXPECT_THAT(values, ::testing::ElementsAreArray(expected));
    }
  });
}

/// Calls that are too long to be posted, between some that are.
template <class Calls>
void expect_brief_without_message(int rank) {
  constexpr std::size_t too_long = 3000;
  Calls posted(rank, 4, 0);
  repeat_until_brief(posted);
  Calls unposted(rank, too_long, 0);
  repeat_until_brief(unposted);
  EXPECT_EQ(unposted.briefly(), MPI_SUCCESS);
  unposted.expect_right();
  for (int i = 0; i < 40; ++i) {
    if (i % 13 == 0 && rank == i % ranks) come_late();
    EXPECT_EQ(unposted.call(), MPI_SUCCESS);
    unposted.expect_right();
    EXPECT_EQ(posted.call(), MPI_SUCCESS);
    posted.expect_right();
  }
}

TEST(BriefPostedCall, GoesOnWhereItsRootLeavesNothing) {
  in_all_ranks([](int rank) {
    expect_brief_without_message<Broadcasts>(rank);
    expect_brief_without_message<Scatters>(rank);
    expect_brief_without_message<UnevenScatters>(rank);
  });
}

// A rank that receives in place, where only the root may, hears of it, and the others do not wait for it.
TEST(BriefPostedCall, RefusesABlockInPlaceElsewhereThanAtTheRoot) {
  in_all_ranks([](int rank) {
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    Scatters scatters(rank, 2, 0);
    repeat_until_brief(scatters);
    std::vector<int> all(2 * ranks, 7);
    std::vector<int> own(2);
    void* const to = rank == 2 ? MPI_IN_PLACE : own.data();
    EXPECT_EQ(on_MPI_Scatter(all.data(), 2, MPI_INT, to, 2, MPI_INT, 0, MPI_COMM_WORLD),
              rank == 2 ? MPI_ERR_ARG : MPI_SUCCESS);
    expect_right_calls(scatters, 20);
  });
}

// What another length, root or type needs was not found out for this one.
TEST(BriefPostedCall, IsNoCallOfOtherArguments) {
  in_all_ranks([](int rank) {
    repeat_until_brief(Reduces(rank, 4, 0));
    EXPECT_FALSE(Reduces(rank, 5, 0).briefly().has_value());
    EXPECT_FALSE(Reduces(rank, 4, 1).briefly().has_value());
    repeat_until_brief(Broadcasts(rank, 4, 0));
    EXPECT_FALSE(Broadcasts(rank, 5, 0).briefly().has_value());
    EXPECT_FALSE(Broadcasts(rank, 4, 1).briefly().has_value());
    repeat_until_brief(Scatters(rank, 4, 0));
    EXPECT_FALSE(Scatters(rank, 5, 0).briefly().has_value());
    EXPECT_FALSE(Scatters(rank, 4, 1).briefly().has_value());
    repeat_until_brief(UnevenScatters(rank, 4, 0));
    EXPECT_FALSE(UnevenScatters(rank, 4, 1).briefly().has_value());
    EXPECT_FALSE(Broadcasts(rank, 12, 0).briefly().has_value());
  });
}

// The MPI library says so.
TEST(BriefPostedCall, IsNoCallOfANegativeLength) {
  in_all_ranks([](int rank) {
    UnevenScatters scatters(rank, 4, 0);
    repeat_until_brief(scatters);
    if (rank == 0) {
      std::vector<int> all(12);
      const std::vector<int> counts = {-1, 4, 4};
      const std::vector<int> displacements = {0, 4, 8};
      const ScattervCall negative(
          {all.data(), -1, MPI_INT},
          {all.data(), NumbersByRank(counts.data()), NumbersByRank(displacements.data()), MPI_INT}, 0, MPI_COMM_WORLD,
          false);
      EXPECT_FALSE(run_by_root_briefly(negative).has_value());
    }
    expect_right_calls(scatters, 20);
  });
}

}  // namespace
}  // namespace airamp::pmpi
