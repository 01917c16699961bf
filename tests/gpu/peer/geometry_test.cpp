// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/peer/geometry.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "gpu/peer/collective.hpp"
#include "gpu/peer/layout.hpp"

namespace airamp::gpu {
namespace {

TEST(Geometry, OneShotTakesARowOfEverySenderFor496Bytes) {
  EXPECT_EQ(one_shot_region_bytes(0, 4), 0u);
  EXPECT_EQ(one_shot_region_bytes(1, 2), 512u);
  EXPECT_EQ(one_shot_region_bytes(496, 2), 512u);
  EXPECT_EQ(one_shot_region_bytes(497, 2), 1024u);
  EXPECT_EQ(one_shot_region_bytes(4960, 4), 3u * 10u * 512u);
  EXPECT_EQ(one_shot_region_bytes(262144, 16), 15u * 529u * 512u);
}

TEST(Geometry, TheSmallestRegionHoldsOneChannelOfEveryWalk) {
  for (int size = 2; size <= most_peers; ++size) {
    const std::size_t bytes = smallest_two_shot_region_bytes(size);
    EXPECT_EQ(bytes % 1024, 0u);
    for (const bool specialised : {false, true}) {
      EXPECT_GE(ring_layout(100, size, reduce_tile_rows(size, specialised), 2, bytes).channels, 1u) << size;
      EXPECT_GE(ring_layout(100, size, gather_tile_rows(size, specialised), 1, bytes).channels, 1u) << size;
    }
  }
  EXPECT_EQ(smallest_two_shot_region_bytes(3), 4u * 2u * 2u * 512u);
}

TEST(Geometry, ARegionThatIsTooSmallHasNoChannel) {
  // 4 slots, contributions and results of 2 others, 512 bytes each.
  EXPECT_EQ(ring_layout(1, 3, 1, 2, 8191).channels, 0u);
  EXPECT_EQ(ring_layout(1, 3, 1, 2, 8192).channels, 1u);
}

TEST(Geometry, NothingToDoTakesNoRound) {
  const RingLayout layout = ring_layout(0, 4, 1, 2, 1u << 20);
  EXPECT_EQ(layout.rounds, 0u);
  EXPECT_EQ(layout.channels, 1u);
}

TEST(Geometry, ChannelsFitTheRegionAndHaveTilesInAllRoundsButTheLast) {
  for (const int size : {2, 3, 4, 8, 16}) {
    for (const int rows : {1, 2, 4}) {
      for (const int kinds : {1, 2}) {
        const std::size_t smallest = static_cast<std::size_t>(4 * (size - 1) * rows * kinds) * 512;
        for (const std::size_t region : {smallest, 7 * smallest + 511, std::size_t{1} << 20, std::size_t{16} << 20}) {
          for (std::uint64_t tiles = 1; tiles < 20'000'000; tiles = tiles * 7 / 4 + 1) {
            const RingLayout layout = ring_layout(tiles, size, rows, kinds, region);
            if (region < smallest) continue;
            const std::uint64_t channels = layout.channels;
            ASSERT_GE(channels, 1u);
            ASSERT_LE(channels, most_channels);
            ASSERT_LE(ring_slots * std::uint64_t{layout.slot_bytes}, region);
            ASSERT_EQ(layout.slot_bytes, channels * (smallest / 4));
            ASSERT_GE(channels * layout.rounds, tiles);
            // What comes before the last round, ends before the last tile, which alone may be ragged.
            ASSERT_LT(channels * (layout.rounds - 1), tiles);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace airamp::gpu
