// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/tag_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace airamp::pmpi {
namespace {

TEST(TagBlocks, AreNeverClaimedTwice) {
  TagBlocks blocks;
  const std::uint64_t first = blocks.propose();
  EXPECT_TRUE(blocks.claim(first));
  EXPECT_FALSE(blocks.claim(first));
  EXPECT_GT(blocks.propose(), first);
}

TEST(TagBlocks, OfProcessesThatKnowDifferentCommunicatorsDiffer) {
  TagBlocks here;
  TagBlocks there;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(there.claim(there.propose()));  // with processes other than this one
  const std::uint64_t common = std::max(here.propose(), there.propose());
  EXPECT_TRUE(here.claim(common));
  EXPECT_TRUE(there.claim(common));
  EXPECT_GT(here.propose(), common);
}

TEST(TagBlocks, TwoThreadsThatAgreeAtTheSameTimeCannotBothHaveTheSame) {
  TagBlocks blocks;
  const std::uint64_t of_one = blocks.propose();
  const std::uint64_t of_other = blocks.propose();
  EXPECT_TRUE(blocks.claim(std::max<std::uint64_t>(of_one, 7)));
  EXPECT_FALSE(blocks.claim(std::max<std::uint64_t>(of_other, 7)));
  EXPECT_TRUE(blocks.claim(blocks.propose()));
}

}  // namespace
}  // namespace airamp::pmpi
