// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/collective_kind.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace airamp {
namespace {

TEST(CollectiveKind, IsListedByNumber) {
  for (std::size_t i = 0; i < every_kind.size(); ++i) EXPECT_EQ(static_cast<std::size_t>(every_kind[i]), i);
  EXPECT_EQ(to_string(static_cast<CollectiveKind>(every_kind.size())), "");
}

TEST(CollectiveKind, EachHasTheNameOfItsFunction) {
  std::set<std::string_view> names;
  for (const CollectiveKind kind : every_kind) names.insert(to_string(kind));
  EXPECT_EQ(names, (std::set<std::string_view>{
                       "MPI_Allreduce",   "MPI_Allgather",  "MPI_Allgatherv",     "MPI_Reduce_scatter_block",
                       "MPI_Bcast",       "MPI_Reduce",     "MPI_Barrier",        "MPI_Alltoall",
                       "MPI_Gather",      "MPI_Scatter",    "MPI_Reduce_scatter", "MPI_Scan",
                       "MPI_Exscan",      "MPI_Gatherv",    "MPI_Scatterv",       "MPI_Alltoallv",
                       "MPI_Alltoallw",   "MPI_Iallreduce", "MPI_Ibarrier",       "MPI_Allreduce_init",
                       "MPI_Barrier_init"}));
}

// Of the others no rank knows what is sent among two others.
TEST(CollectiveKind, LengthsOfBlocksAreRanksOwn) {
  for (const CollectiveKind kind : every_kind) {
    const bool counts_as_such = has_own_length(kind) && may_be_empty(kind);  // no bytes of a rank's own may be others'
    EXPECT_TRUE(counts_as_such || !has_blocks_of_any_length(kind)) << to_string(kind);
  }
  EXPECT_TRUE(has_blocks_of_any_length(CollectiveKind::gatherv));
  EXPECT_FALSE(has_blocks_of_any_length(CollectiveKind::allgatherv));
  EXPECT_FALSE(has_own_length(CollectiveKind::reduce_scatter));
}

// Its first rank may have less than the others, as some MPI libraries let it.
TEST(CollectiveKind, NothingRestsOnTheLengthOfAScanThatIsNotEmpty) {
  for (const CollectiveKind kind : {CollectiveKind::scan, CollectiveKind::exscan}) {
    EXPECT_EQ(equal_bytes(kind, 8), equal_bytes(kind, 4000)) << to_string(kind);
    EXPECT_FALSE(may_be_empty(kind)) << to_string(kind);
  }
  EXPECT_NE(equal_bytes(CollectiveKind::reduce, 8), equal_bytes(CollectiveKind::reduce, 4000));
}

TEST(CollectiveKind, StartedOnesAreOfTheNonblockingAndPersistentFunctions) {
  std::set<std::string_view> names;
  for (const CollectiveKind kind : every_kind) {
    if (is_started(kind)) names.insert(to_string(kind));
  }
  EXPECT_EQ(names,
            (std::set<std::string_view>{"MPI_Iallreduce", "MPI_Ibarrier", "MPI_Allreduce_init", "MPI_Barrier_init"}));
}

TEST(CollectiveKind, GpusCarryAllThatHaveDataAndAreNotStarted) {
  for (const CollectiveKind kind : every_kind) {
    EXPECT_EQ(is_for_gpus(kind), kind != CollectiveKind::barrier && !is_started(kind)) << to_string(kind);
  }
}

}  // namespace
}  // namespace airamp
