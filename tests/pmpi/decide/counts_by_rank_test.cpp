// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls whose counts go by rank are known again by the sum of these: what each rank has may differ from call to call.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/call/reductions/reduce_scatter_call.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 3;
using Counts = std::array<int, ranks>;

/// All of the same sum, short and, of more than a page, long.
constexpr std::array<Counts, 4> short_counts{{{4, 5, 6}, {15, 0, 0}, {0, 1, 14}, {5, 5, 5}}};
constexpr std::array<Counts, 3> long_counts{{{700, 800, 900}, {0, 2400, 0}, {1200, 0, 1200}}};

Counts displacements_of(const Counts& counts) {
  Counts displacements{};
  std::exclusive_scan(counts.begin(), counts.end(), displacements.begin(), 0);
  return displacements;
}

/// What rank `rank` gives to the call of number `call`, at place `at` of its contribution.
int value_of(int rank, int call, std::size_t at) { return 100000 * (rank + 1) + 1000 * call + static_cast<int>(at); }

void expect_right_allgatherv(int rank, const Counts& counts, int call) {
  const Counts displacements = displacements_of(counts);
  const auto count_of = [&](int of) { return static_cast<std::size_t>(counts[static_cast<std::size_t>(of)]); };
  std::vector<int> own(count_of(rank));
  for (std::size_t at = 0; at < own.size(); ++at) own[at] = value_of(rank, call, at);
  std::vector<int> all(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0)), -1);
  ASSERT_EQ(on_MPI_Allgatherv(own.data(), counts[static_cast<std::size_t>(rank)], MPI_INT, all.data(), counts.data(),
                              displacements.data(), MPI_INT, MPI_COMM_WORLD),
            MPI_SUCCESS);
  for (int of = 0; of < ranks; ++of)
    for (std::size_t at = 0; at < count_of(of); ++at)
      ASSERT_EQ(all[static_cast<std::size_t>(displacements[static_cast<std::size_t>(of)]) + at],
                value_of(of, call, at));
}

void expect_right_reduce_scatter(int rank, const Counts& counts, int call) {
  const Counts displacements = displacements_of(counts);
  std::vector<int> given(static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), 0)));
  for (std::size_t at = 0; at < given.size(); ++at) given[at] = value_of(rank, call, at);
  std::vector<int> got(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]), -1);
  ASSERT_EQ(on_MPI_Reduce_scatter(given.data(), got.data(), counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD),
            MPI_SUCCESS);
  for (std::size_t at = 0; at < got.size(); ++at) {
    int sum = 0;
    for (int of = 0; of < ranks; ++of)
      sum += value_of(of, call, static_cast<std::size_t>(displacements[static_cast<std::size_t>(rank)]) + at);
    ASSERT_EQ(got[at], sum);
  }
}

Shortcut* shortcut_of_allgatherv(const Counts& counts, int rank) {
  const GatherArguments arguments{.sendbuf = nullptr,
                                  .sendcount = counts[static_cast<std::size_t>(rank)],
                                  .sendtype = MPI_INT,
                                  .recvbuf = nullptr,
                                  .recvtype = MPI_INT,
                                  .comm = MPI_COMM_WORLD,
                                  .large_count = false};
  return shortcut_of(*find_communicator_state(MPI_COMM_WORLD),
                     PlainAllgathervCall(arguments, counts.data(), displacements_of(counts).data()));
}

Shortcut* shortcut_of_reduce_scatter(const Counts& counts) {
  return shortcut_of(
      *find_communicator_state(MPI_COMM_WORLD),
      ReduceScatterCall(nullptr, nullptr, NumbersByRank(counts.data()), MPI_INT, MPI_SUM, MPI_COMM_WORLD, false));
}

/// Makes calls of one sum after each other.
template <class Call, std::size_t Size>
void repeat_calls(const std::array<Counts, Size>& kinds, const Call& call) {
  constexpr int turns = 3;
  int number = 0;
  for (int turn = 0; turn < turns; ++turn)
    for (const Counts& counts : kinds) call(counts, number++);
}

std::uint64_t looked_at() { return find_communicator_state(MPI_COMM_WORLD)->looked_at; }

TEST(CountsByRank, OfAReduceScatterMayChangeFromCallToCall) {
  in_forced_ranks(ranks, [](int rank) {
    const auto call = [&](const Counts& counts, int number) { expect_right_reduce_scatter(rank, counts, number); };
    repeat_calls(short_counts, call);
    ASSERT_NE(shortcut_of_reduce_scatter(short_counts[1]), nullptr);
    EXPECT_NE(shortcut_of_reduce_scatter(short_counts[1])->exchange, nullptr);
    const std::uint64_t before = looked_at();
    repeat_calls(short_counts, call);
    EXPECT_EQ(looked_at(), before);  // all went by the shortcut
    repeat_calls(long_counts, call);
    repeat_calls(short_counts, call);
  });
}

TEST(CountsByRank, OfAnAllgathervMayChangeFromCallToCall) {
  in_forced_ranks(ranks, [](int rank) {
    const auto call = [&](const Counts& counts, int number) { expect_right_allgatherv(rank, counts, number); };
    repeat_calls(short_counts, call);
    constexpr int turns = 20;
    const Counts& same = short_counts.back();
    call(same, 0);
    ASSERT_NE(shortcut_of_allgatherv(same, rank), nullptr);
    EXPECT_NE(shortcut_of_allgatherv(same, rank)->exchange, nullptr);
    const std::uint64_t before = looked_at();
    for (int turn = 0; turn < turns; ++turn) call(same, turn);
    EXPECT_EQ(looked_at(), before);  // all went by the shortcut
    repeat_calls(long_counts, call);
    repeat_calls(short_counts, call);
  });
}

// Counts that are the MPI library's error, and those that have no sum, are nobody's shortcut.
TEST(CountsByRank, OfNoElementsHaveNoShortcut) {
  in_forced_ranks(ranks, [](int rank) {
    repeat_calls(short_counts,
                 [&](const Counts& counts, int number) { expect_right_reduce_scatter(rank, counts, number); });
    EXPECT_EQ(shortcut_of_reduce_scatter({}), nullptr);
    EXPECT_EQ(shortcut_of_reduce_scatter({-1, 8, 8}), nullptr);
  });
}

}  // namespace
}  // namespace airamp::pmpi
