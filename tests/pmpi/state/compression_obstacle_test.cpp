// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/compression_obstacle.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

constexpr CompressionFacts compressed{
    .kind = Kind::allreduce, .bytes = 1024, .min_bytes = 1024, .ranks = max_ranks, .opted_in = true};

TEST(CompressionObstacle, IsNoneWhereAllIsWell) { EXPECT_EQ(compression_obstacle(compressed), Reason::none); }

TEST(CompressionObstacle, IsTheOneThingThatIsMissing) {
  CompressionFacts facts = compressed;
  facts.opted_in = false;
  EXPECT_EQ(compression_obstacle(facts), Reason::compression_off);
  facts = compressed;
  facts.bytes = 1023;
  EXPECT_EQ(compression_obstacle(facts), Reason::below_min_bytes);
  facts = compressed;
  facts.ranks = max_ranks + 1;
  EXPECT_EQ(compression_obstacle(facts), Reason::too_many_ranks);
  facts = compressed;
  facts.kind = Kind::reduce_scatter_block;
  EXPECT_EQ(compression_obstacle(facts), Reason::collective_not_compressed);
}

TEST(CompressionObstacle, IsTheOneThatRemainsAfterOptingIn) {
  CompressionFacts facts{.kind = Kind::allreduce, .bytes = 8, .min_bytes = 1024, .ranks = 2, .opted_in = false};
  EXPECT_EQ(compression_obstacle(facts), Reason::below_min_bytes);
  facts.opted_in = true;
  EXPECT_EQ(compression_obstacle(facts), Reason::below_min_bytes);
}

}  // namespace
}  // namespace airamp::pmpi
