// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_counted_call.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "pmpi/call/reduce_scatter_block_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::ElementsAreArray;

constexpr int ranks = 3;
using Counts = std::array<int, ranks>;

std::size_t at(int rank) { return static_cast<std::size_t>(rank); }

int sum_of(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

/// Where the blocks begin that lie one behind the other, with so many elements between them.
Counts places_of(const Counts& counts, int gap) {
  Counts places{};
  for (int rank = 1; rank < ranks; ++rank) places[at(rank)] = places[at(rank - 1)] + counts[at(rank - 1)] + gap;
  return places;
}

/// Element `element` of what a rank gives to a call.
int value_of(int rank, int call, std::size_t element) {
  return 1000000 * (rank + 1) + 10000 * call + static_cast<int>(element);
}

std::vector<int> given_by(int rank, int call, int elements) {
  std::vector<int> values(static_cast<std::size_t>(elements));
  for (std::size_t element = 0; element < values.size(); ++element) values[element] = value_of(rank, call, element);
  return values;
}

template <class Collective>
std::optional<int> run_counted_briefly(const Collective& call) {
  const std::optional<KnownCall> found = known_call(call, counted_arguments(call));
  if (!found || !may_be_brief(call, *found->state, *found->shortcut)) return std::nullopt;
  return carry_counted_briefly(call, *found);
}

/// All of 15 elements.
constexpr std::array<Counts, 4> short_counts{{{4, 5, 6}, {15, 0, 0}, {0, 1, 14}, {5, 5, 5}}};

/// One allgatherv. Whether it was carried briefly.
bool gather(int rank, const Counts& counts, int call, bool in_place) {
  constexpr int gap = 2;
  const Counts places = places_of(counts, gap);
  const std::vector<int> own = given_by(rank, call, counts[at(rank)]);
  std::vector<int> all(static_cast<std::size_t>(sum_of(counts) + ranks * gap), -1);
  std::vector<int> expected = all;
  for (int from = 0; from < ranks; ++from) {
    const std::vector<int> block = given_by(from, call, counts[at(from)]);
    std::copy(block.begin(), block.end(), expected.begin() + places[at(from)]);
  }
  if (in_place) std::copy(own.begin(), own.end(), all.begin() + places[at(rank)]);
  const void* const from = in_place ? MPI_IN_PLACE : own.data();
  const GatherArguments arguments{from, counts[at(rank)], MPI_INT, all.data(), MPI_INT, MPI_COMM_WORLD, false};
  const std::optional<int> done = run_counted_briefly(PlainAllgathervCall(arguments, counts.data(), places.data()));
  EXPECT_EQ(done ? *done
                 : on_MPI_Allgatherv(from, counts[at(rank)], MPI_INT, all.data(), counts.data(), places.data(), MPI_INT,
                                     MPI_COMM_WORLD),
            MPI_SUCCESS);
  EXPECT_THAT(all, ElementsAreArray(expected)) << "call " << call;
  return done.has_value();
}

// Of one sum, blocks have other lengths in each call, and elements beside them stay as they are.
TEST(BriefAllgatherv, BringsBlocksOfOtherLengthsInEachCall) {
  in_forced_ranks(ranks, [](int rank) {
    for (const bool in_place : {false, true}) {
      int carried_briefly = 0;
      for (int call = 0; call < 60; ++call) {
        // who says that it sends as much as before has the same arguments; the others look at the call
        const Counts& counts = call < 20 ? short_counts[3] : short_counts[at(call) % short_counts.size()];
        carried_briefly += gather(rank, counts, call, in_place) ? 1 : 0;
      }
      EXPECT_GT(carried_briefly, 8) << in_place;
    }
  });
}

// One is longer than a chunk now, and the sum is as before.
TEST(BriefAllgatherv, LeavesLongBlocksToOthers) {
  in_forced_ranks(ranks, [](int rank) {
    for (int call = 0; call < 18; ++call) gather(rank, short_counts[3], call, true);
    const std::size_t chunk_bytes = find_communicator_state(MPI_COMM_WORLD)->resources.host.made->chunk_bytes();
    const int half = static_cast<int>(chunk_bytes / sizeof(int) / 2);
    for (int call = 0; call < 18; ++call) gather(rank, {half, half, half}, call, true);
    EXPECT_TRUE(gather(rank, {half, half, half}, 18, true));
    EXPECT_TRUE(gather(rank, {2 * half, half, 0}, 19, true));
    EXPECT_FALSE(gather(rank, {2 * half + 1, half - 1, 0}, 20, true));
    gather(rank, {half, half, half}, 21, true);  // looked at, behind one that was
    EXPECT_TRUE(gather(rank, {half, half, half}, 22, true));
  });
}

struct Scattered {
  std::optional<int> done;
  std::vector<int> block;
};

/// One reduce_scatter: briefly, or as it comes.
Scattered scatter(int rank, const Counts& counts, int call, bool in_place, bool briefly) {
  std::vector<int> given = given_by(rank, call, sum_of(counts));
  std::vector<int> got(static_cast<std::size_t>(counts[at(rank)]), -1);
  const void* const from = in_place ? MPI_IN_PLACE : given.data();
  void* const to = in_place ? given.data() : got.data();
  Scattered scattered;
  if (briefly) {
    scattered.done = run_counted_briefly(
        ReduceScatterCall(from, to, NumbersByRank(counts.data()), MPI_INT, MPI_SUM, MPI_COMM_WORLD, false));
  } else {
    scattered.done = on_MPI_Reduce_scatter(from, to, counts.data(), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  }
  if (in_place) std::copy_n(given.begin(), got.size(), got.begin());
  scattered.block = got;
  return scattered;
}

std::vector<int> reduced_block(int rank, const Counts& counts, int call) {
  const std::size_t begin = at(places_of(counts, 0)[at(rank)]);
  std::vector<int> block(at(counts[at(rank)]));
  for (std::size_t element = 0; element < block.size(); ++element)
    for (int from = 0; from < ranks; ++from) block[element] += value_of(from, call, begin + element);
  return block;
}

class BriefReduceScatter : public ::testing::TestWithParam<int> {};

// As a reduce_scatter_block, which has the same blocks.
TEST_P(BriefReduceScatter, AddsBlocksOfOneLength) {
  const int elements = GetParam();
  in_forced_ranks(ranks, [elements](int rank) {
    const Counts counts{elements, elements, elements};
    for (const bool in_place : {false, true}) {
      for (int call = 0; call < 18; ++call) scatter(rank, counts, call, in_place, false);
      const Scattered scattered = scatter(rank, counts, 20, in_place, true);
      EXPECT_EQ(scattered.done, MPI_SUCCESS);
      EXPECT_THAT(scattered.block, ElementsAreArray(reduced_block(rank, counts, 20))) << in_place;

      const std::vector<int> own = given_by(rank, 21, sum_of(counts));
      std::vector<int> given(own.size());
      std::vector<int> got(static_cast<std::size_t>(elements), -1);
      const void* const from = in_place ? MPI_IN_PLACE : given.data();
      void* const to = in_place ? given.data() : got.data();
      for (int call = 0; call < 18; ++call) {
        std::copy(own.begin(), own.end(), given.begin());
        EXPECT_EQ(on_MPI_Reduce_scatter_block(from, to, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
      }
      std::copy(own.begin(), own.end(), given.begin());
      EXPECT_EQ(run_briefly(ReduceScatterBlockCall(from, to, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, false)),
                MPI_SUCCESS);
      if (in_place) std::copy_n(given.begin(), got.size(), got.begin());
      EXPECT_THAT(got, ElementsAreArray(reduced_block(rank, counts, 21))) << in_place;
    }
  });
}

// Beside the ranks' words, together in one piece, and in pieces by rank.
INSTANTIATE_TEST_SUITE_P(Elements, BriefReduceScatter, ::testing::Values(1, 8, 9, 100, 300, 341, 342, 2000));

TEST(BriefReduceScatter, LeavesUnevenBlocksToOthers) {
  in_forced_ranks(ranks, [](int rank) {
    for (int call = 0; call < 18; ++call) scatter(rank, short_counts[3], call, false, false);
    EXPECT_EQ(scatter(rank, short_counts[0], 18, false, true).done, std::nullopt);
    EXPECT_EQ(scatter(rank, short_counts[0], 19, false, false).block, reduced_block(rank, short_counts[0], 19));
    EXPECT_EQ(scatter(rank, short_counts[3], 20, false, true).done, MPI_SUCCESS);
  });
}

// Nobody can say how many counts there are: of an unknown communicator, and of one that has no known calls, as those
// between groups, which have as many as the other group has ranks.
TEST(BriefCountedCall, AsksForNoCountsWhereNoCallIsKnown) {
  in_forced_ranks(ranks, [](int /*rank*/) {
    const int* const nowhere = reinterpret_cast<const int*>(1);
    for (const bool is_state_made : {false, true}) {
      if (is_state_made) {
        ASSERT_NE(communicator_state(MPI_COMM_WORLD), nullptr);
      }
      EXPECT_EQ(latest_communicator_state(MPI_COMM_WORLD) != nullptr, is_state_made);
      const GatherArguments arguments{nullptr, 1, MPI_INT, nullptr, MPI_INT, MPI_COMM_WORLD, false};
      EXPECT_FALSE(counted_arguments(PlainAllgathervCall(arguments, nowhere, nowhere)));
      EXPECT_FALSE(counted_arguments(
          ReduceScatterCall(nullptr, nullptr, NumbersByRank(nowhere), MPI_INT, MPI_SUM, MPI_COMM_WORLD, false)));
    }
  });
}

}  // namespace
}  // namespace airamp::pmpi
