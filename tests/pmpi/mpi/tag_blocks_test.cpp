// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/tag_blocks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace airamp::pmpi {
namespace {

TEST(TagBlocks, AreNeverClaimedTwice) {
  TagBlocks blocks;
  const std::uint64_t first = blocks.propose().number;
  EXPECT_TRUE(blocks.claim(first));
  EXPECT_FALSE(blocks.claim(first));
  EXPECT_GT(blocks.propose().number, first);
}

TEST(TagBlocks, OfProcessesThatKnowDifferentCommunicatorsDiffer) {
  TagBlocks here;
  TagBlocks there;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(there.claim(there.propose().number));  // with processes other than this one
  const std::uint64_t common = std::max(here.propose().number, there.propose().number);
  EXPECT_TRUE(here.claim(common));
  EXPECT_TRUE(there.claim(common));
  EXPECT_GT(here.propose().number, common);
}

TEST(TagBlocks, TwoThreadsThatAgreeAtTheSameTimeCannotBothHaveTheSame) {
  TagBlocks blocks;
  const std::uint64_t of_one = blocks.propose().number;
  const std::uint64_t of_other = blocks.propose().number;
  EXPECT_TRUE(blocks.claim(std::max<std::uint64_t>(of_one, 7)));
  EXPECT_FALSE(blocks.claim(std::max<std::uint64_t>(of_other, 7)));
  EXPECT_TRUE(blocks.claim(blocks.propose().number));
}

// Two ranks with two threads each, in step: in each attempt one thread is first on one rank, the other on the other
// one.
TEST(TagBlocks, CommunicatorsThatHinderEachOtherPart) {
  constexpr int few = 8;
  for (unsigned seed = 1; seed < 1000; seed += 2) {
    std::array<TagBlocks, 2> ranks;
    ranks[0].seed(seed);
    ranks[1].seed(seed + 1);
    bool parted = false;
    for (int attempt = 0; attempt < few && !parted; ++attempt) {
      std::array<TagBlocks::Proposal, 2> greatest{};
      for (std::size_t rank = 0; rank < 2; ++rank) {
        for (const std::size_t thread : {rank, 1 - rank}) {
          const TagBlocks::Proposal own = ranks[rank].propose();
          greatest[thread].number = std::max(greatest[thread].number, own.number);
          greatest[thread].lot = std::max(greatest[thread].lot, own.lot);
        }
      }
      std::array<int, 2> claims{};
      for (std::size_t rank = 0; rank < 2; ++rank) {
        for (const std::size_t thread : {rank, 1 - rank})
          claims[thread] += ranks[rank].claim(TagBlocks::number_of(greatest[thread], attempt)) ? 1 : 0;
      }
      parted = claims[0] == 2 || claims[1] == 2;
    }
    EXPECT_TRUE(parted) << seed;
  }
}

}  // namespace
}  // namespace airamp::pmpi
