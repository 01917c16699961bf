// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/posted_reduce.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

// 16 KiB and more of all ranks are too much for the root.
TEST(PostedReduce, IsForShortVectorsOfNotTooManyRanks) {
  EXPECT_TRUE(PostedReduce::is_for(2047, 8));
  EXPECT_FALSE(PostedReduce::is_for(2047, 9));
  EXPECT_TRUE(PostedReduce::is_for(1023, 16));
  EXPECT_TRUE(PostedReduce::is_for(511, 32));
  EXPECT_FALSE(PostedReduce::is_for(512, 32));
}

TEST(PostedReduce, IsForNothingThatHasNoRoomInItsPlace) {
  EXPECT_TRUE(PostedReduce::is_for(ContributionRing::max_bytes, 2));
  EXPECT_FALSE(PostedReduce::is_for(ContributionRing::max_bytes + 1, 2));
}

}  // namespace
}  // namespace airamp::pmpi
