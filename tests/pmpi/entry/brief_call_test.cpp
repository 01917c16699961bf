// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_call.hpp"

#include <gmock/gmock.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/barrier_call.hpp"
#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/call/movements/alltoall_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

constexpr int ranks = 3;

AllreduceCall sum_of(std::vector<int>& values, MPI_Datatype type = MPI_INT) {
  return AllreduceCall(MPI_IN_PLACE, values.data(), static_cast<MPI_Count>(values.size()), type, MPI_SUM,
                       MPI_COMM_WORLD, false);
}

/// So many calls that the next one is carried briefly: the first are looked at, and one in 16 is timed.
template <class Collective>
void repeat_until_brief(const Collective& collective) {
  for (int call = 0; call < 18; ++call) ASSERT_EQ(collective(), MPI_SUCCESS);
}

void in_all_ranks(const std::function<void(int rank)>& program) { in_forced_ranks(ranks, program); }

/// Beside the ranks' words, in one piece, and in parts that one rank each reduces.
class BriefSums : public ::testing::TestWithParam<std::size_t> {};

TEST_P(BriefSums, AreRight) {
  const std::size_t elements = GetParam();
  in_all_ranks([&](int rank) {
    std::vector<int> values(elements);
    const auto contribute = [&] { std::iota(values.begin(), values.end(), rank * 1000); };
    repeat_until_brief([&] {
      contribute();
      return on_MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(elements), MPI_INT, MPI_SUM,
                              MPI_COMM_WORLD);
    });
    const std::uint64_t carried = only_signature()->accelerated_calls;
    contribute();
    EXPECT_EQ(run_briefly(sum_of(values)), MPI_SUCCESS);
    EXPECT_EQ(only_signature()->accelerated_calls, carried + 1);
    std::vector<int> expected(elements);
    for (std::size_t i = 0; i < elements; ++i) expected[i] = 3000 + 3 * static_cast<int>(i);
    EXPECT_THAT(values, ElementsAreArray(expected));
  });
}

INSTANTIATE_TEST_SUITE_P(Elements, BriefSums, ::testing::Values(1, 7, 26, 27, 600, 1000));

/// So many that what each of them reduces of a vector lies beside its word, up to 26 numbers.
constexpr int many_ranks = 12;

class BriefSumsOfManyRanks : public ::testing::TestWithParam<int> {};

TEST_P(BriefSumsOfManyRanks, AreRight) {
  const int elements = GetParam();
  in_forced_ranks(many_ranks, [&](int rank) {
    std::vector<std::int16_t> halves(static_cast<std::size_t>(elements));
    std::vector<int> values(static_cast<std::size_t>(elements));
    std::vector<int> expected(values.size());
    for (int call = 0; call < 24; ++call) {
      std::iota(halves.begin(), halves.end(), static_cast<std::int16_t>(call + rank));
      std::iota(values.begin(), values.end(), call + rank);
      for (int i = 0; i < elements; ++i) expected[static_cast<std::size_t>(i)] = many_ranks * (call + i) + 66;
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, values.data(), elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, halves.data(), elements, MPI_SHORT, MPI_SUM, MPI_COMM_WORLD),
                MPI_SUCCESS);
      EXPECT_THAT(values, ElementsAreArray(expected));
      EXPECT_THAT(halves, ElementsAreArray(expected));
      // sums of so narrow numbers are the MPI library's; maxima are not
      std::iota(halves.begin(), halves.end(), static_cast<std::int16_t>(call + rank));
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, halves.data(), elements, MPI_SHORT, MPI_MAX, MPI_COMM_WORLD),
                MPI_SUCCESS);
      std::iota(expected.begin(), expected.end(), call + many_ranks - 1);
      EXPECT_THAT(halves, ElementsAreArray(expected));
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Elements, BriefSumsOfManyRanks, ::testing::Values(52, 103, 311, 312, 313, 630));

// A number and its index have a gap between them, which stays as it is.
TEST(BriefCall, FindsTheGreatestOfManyRanksAndLeavesGaps) {
  struct Pair {
    std::int16_t value;
    std::uint16_t gap;
    std::int32_t index;
  };
  in_forced_ranks(many_ranks, [](int rank) {
    std::vector<Pair> pairs(60);
    for (int call = 0; call < 24; ++call) {
      const auto greatest = [&](std::size_t i) {
        return static_cast<int>(i + static_cast<std::size_t>(call)) % many_ranks;
      };
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const auto value = static_cast<std::int16_t>(rank == greatest(i) ? 100 : rank);
        pairs[i] = {.value = value, .gap = 0xabcd, .index = rank + static_cast<int>(i)};
      }
      EXPECT_EQ(on_MPI_Allreduce(MPI_IN_PLACE, pairs.data(), 60, MPI_SHORT_INT, MPI_MAXLOC, MPI_COMM_WORLD),
                MPI_SUCCESS);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        EXPECT_EQ(pairs[i].value, 100);
        EXPECT_EQ(pairs[i].gap, 0xabcd);
        EXPECT_EQ(pairs[i].index, greatest(i) + static_cast<int>(i));
      }
    }
  });
}

TEST(BriefCall, GathersBlocksFromElsewhereAndInPlace) {
  in_all_ranks([](int rank) {
    constexpr int elements = 5;
    for (const bool in_place : {false, true}) {
      const std::vector<int> own(elements, rank + 7);
      std::vector<int> all(elements * ranks);
      const auto call = [&](bool briefly) {
        std::fill(all.begin(), all.end(), -1);
        if (in_place) std::copy(own.begin(), own.end(), all.begin() + rank * elements);
        const void* const from = in_place ? MPI_IN_PLACE : own.data();
        if (!briefly) return on_MPI_Allgather(from, elements, MPI_INT, all.data(), elements, MPI_INT, MPI_COMM_WORLD);
        const GatherArguments arguments{from, elements, MPI_INT, all.data(), MPI_INT, MPI_COMM_WORLD, false};
        return run_briefly(AllgatherCall(arguments, elements)).value_or(MPI_ERR_INTERN);
      };
      repeat_until_brief([&] { return call(false); });
      EXPECT_EQ(call(true), MPI_SUCCESS);
      std::vector<int> expected;
      for (int from = 0; from < ranks; ++from) expected.insert(expected.end(), elements, from + 7);
      EXPECT_THAT(all, ElementsAreArray(expected)) << in_place;
    }
  });
}

TEST(BriefCall, ExchangesBlocksFromElsewhereAndInPlace) {
  in_all_ranks([](int rank) {
    for (const bool in_place : {false, true}) {
      std::vector<int> own(ranks);
      std::vector<int> all(ranks);
      std::vector<int>& given = in_place ? all : own;
      const auto call = [&](bool briefly) {
        std::fill(all.begin(), all.end(), -1);
        for (int to = 0; to < ranks; ++to) given[static_cast<std::size_t>(to)] = 10 * rank + to;
        const void* const from = in_place ? MPI_IN_PLACE : own.data();
        if (!briefly) return on_MPI_Alltoall(from, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD);
        return run_briefly(AlltoallCall(from, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD, false))
            .value_or(MPI_ERR_INTERN);
      };
      repeat_until_brief([&] { return call(false); });
      EXPECT_EQ(call(true), MPI_SUCCESS);
      std::vector<int> expected;
      for (int from = 0; from < ranks; ++from) expected.push_back(10 * from + rank);
      EXPECT_THAT(all, ElementsAreArray(expected)) << in_place;
    }
  });
}

TEST(BriefCall, MeetsInABarrier) {
  in_all_ranks([](int /*rank*/) {
    repeat_until_brief([] { return on_MPI_Barrier(MPI_COMM_WORLD); });
    EXPECT_EQ(run_briefly(BarrierCall(MPI_COMM_WORLD)), MPI_SUCCESS);
  });
}

// A rank that wants none of AIRamp says so in the agreement: the others have come to it briefly.
TEST(BriefCall, GoesNativelyWhereTheRanksDisagree) {
  in_all_ranks([](int rank) {
    std::vector<int> values(4, 1);
    const auto call = [&] {
      std::fill(values.begin(), values.end(), 1);
      return on_MPI_Allreduce(MPI_IN_PLACE, values.data(), 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    };
    repeat_until_brief(call);
    const std::uint64_t counted = job().counters.calls(static_cast<std::size_t>(Function::MPI_Allreduce));
    if (rank == 1) on_pcontrol(0);
    for (int i = 0; i < 3; ++i) {
      EXPECT_EQ(call(), MPI_SUCCESS);
      EXPECT_THAT(values, Each(ranks));
    }
    if (rank == 1) on_pcontrol(1);
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(call(), MPI_SUCCESS);
      EXPECT_THAT(values, Each(ranks));
    }
    EXPECT_EQ(job().counters.calls(static_cast<std::size_t>(Function::MPI_Allreduce)), counted + 8);
    EXPECT_EQ(run_briefly(sum_of(values)), MPI_SUCCESS);
  });
}

// What another length or type needs was not found out for this one.
TEST(BriefCall, IsNoCallOfOtherArguments) {
  in_all_ranks([](int /*rank*/) {
    std::vector<int> values(4, 1);
    repeat_until_brief(
        [&] { return on_MPI_Allreduce(MPI_IN_PLACE, values.data(), 4, MPI_INT, MPI_MAX, MPI_COMM_WORLD); });
    std::vector<int> longer(5, 1);
    EXPECT_FALSE(run_briefly(sum_of(longer)).has_value());
    EXPECT_FALSE(run_briefly(sum_of(values)).has_value());
    EXPECT_FALSE(run_briefly(sum_of(values, MPI_UNSIGNED)).has_value());
  });
}

}  // namespace
}  // namespace airamp::pmpi
