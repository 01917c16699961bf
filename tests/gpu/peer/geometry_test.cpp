// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/peer/geometry.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "gpu/peer/collective.hpp"
#include "gpu/peer/layout.hpp"

namespace airamp::gpu {
namespace {

constexpr std::size_t votes = 1024;  // at the end of every region

TEST(Geometry, OneShotTakesARowAndItsRecordOfEverySenderFor512Bytes) {
  EXPECT_EQ(one_shot_region_bytes(0, 4), votes);
  EXPECT_EQ(one_shot_region_bytes(1, 2), 544u + votes);
  EXPECT_EQ(one_shot_region_bytes(512, 2), 544u + votes);
  EXPECT_EQ(one_shot_region_bytes(513, 2), 1088u + votes);
  EXPECT_EQ(one_shot_region_bytes(5120, 4), 3u * 10u * 544u + votes);
  EXPECT_EQ(one_shot_region_bytes(262144, 16), 15u * 512u * 544u + votes);
}

TEST(Geometry, TheSmallestRegionHoldsOneChannelOfEveryWalk) {
  for (int size = 2; size <= max_peers; ++size) {
    const std::size_t bytes = smallest_two_shot_region_bytes(size);
    EXPECT_EQ(bytes % 1024, 0u);
    for (const bool specialised : {false, true}) {
      for (const bool any_bits : {false, true}) {
        EXPECT_GE(
            ring_layout({100, size, reduce_tile_rows(size, specialised), 2, any_bits, 18}, bytes - votes, 132).channels,
            1u)
            << size;
        EXPECT_GE(
            ring_layout({100, size, gather_tile_rows(size, specialised), 1, any_bits, 18}, bytes - votes, 132).channels,
            1u)
            << size;
        EXPECT_GE(ring_layout({100, size, broadcast_tile_rows(size, specialised), 2, any_bits, 18}, bytes - votes, 132)
                      .channels,
                  1u)
            << size;
      }
    }
  }
  EXPECT_EQ(smallest_two_shot_region_bytes(3),
            4u * 3u * 1024u + votes);  // 2 senders, 2 kinds of a row and its record each
}

TEST(Geometry, ARegionThatIsTooSmallHasNoChannel) {
  // 4 slots, contributions and results of 2 others, 512 bytes each; with their records 2176 bytes a slot.
  EXPECT_EQ(ring_layout({1, 3, 1, 2, false, 18}, 8191, 132).channels, 0u);
  EXPECT_EQ(ring_layout({1, 3, 1, 2, false, 18}, 8192, 132).channels, 1u);
  EXPECT_EQ(ring_layout({1, 3, 1, 2, true, 18}, 8703, 132).channels, 0u);
  EXPECT_EQ(ring_layout({1, 3, 1, 2, true, 18}, 8704, 132).channels, 1u);
}

TEST(Geometry, NothingToDoTakesNoRound) {
  const RingLayout layout = ring_layout({0, 4, 1, 2, true, 18}, 1u << 20, 132);
  EXPECT_EQ(layout.rounds, 0u);
  EXPECT_EQ(layout.channels, 1u);
}

TEST(Geometry, ChannelsAreAsManyAsRunAtTheSameTimeOnTheSmallestGpu) {
  constexpr std::size_t region = std::size_t{64} << 20;
  EXPECT_LE(ring_layout({1000000, 2, 2, 2, false, 18}, region, 132).channels, 132u * 18u);
  EXPECT_GT(ring_layout({1000000, 2, 2, 2, false, 18}, region, 132).channels, 131u * 18u);
  EXPECT_LE(ring_layout({1000000, 2, 2, 2, false, 16}, region, 132).channels, 132u * 16u);
  EXPECT_LE(ring_layout({1000000, 2, 2, 2, false, 18}, region, 108).channels, 108u * 18u);
  EXPECT_EQ(ring_layout({1000, 2, 2, 2, false, 18}, region, 132).channels, 1000u);
}

TEST(Geometry, ChannelsFitTheRegionAndHaveTilesInAllRoundsButTheLast) {
  for (const int size : {2, 3, 4, 8, 16}) {
    for (const int rows : {1, 2, 4}) {
      for (const int kinds : {1, 2}) {
        for (const bool any_bits : {false, true}) {
          const auto channel_rows = static_cast<std::size_t>((size - 1) * rows * kinds);
          const std::size_t channel_bytes = channel_rows * (any_bits ? 544 : 512);
          const std::size_t smallest = 4 * ((channel_bytes + 127) / 128 * 128);
          for (const std::size_t region : {smallest, 7 * smallest + 511, std::size_t{1} << 20, std::size_t{16} << 20}) {
            if (region < smallest) continue;
            for (std::uint64_t tiles = 1; tiles < 20'000'000; tiles = tiles * 7 / 4 + 1) {
              const RingLayout layout = ring_layout({tiles, size, rows, kinds, any_bits, 18}, region, 132);
              const std::uint64_t channels = layout.channels;
              ASSERT_GE(channels, 1u);
              ASSERT_LE(channels, 132u * 18u);
              ASSERT_LE(ring_slots * std::uint64_t{layout.slot_bytes}, region);
              ASSERT_EQ(layout.slot_bytes % 128, 0u);
              ASSERT_EQ(layout.record_offset, channels * channel_rows * 512);
              ASSERT_GE(layout.slot_bytes, channels * channel_bytes);
              ASSERT_GE(channels * layout.rounds, tiles);
              // What comes before the last round, ends before the last tile, which alone may be ragged.
              ASSERT_LT(channels * (layout.rounds - 1), tiles);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace airamp::gpu
