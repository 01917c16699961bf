// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "pmpi/device/segmentation_rule.hpp"
#include "pmpi/group/segment_channel.hpp"

namespace airamp::pmpi {
namespace {

TEST(Segmentation, CoversEveryRowOnce) {
  for (std::size_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 100000}) {
    for (std::size_t segment_rows : {1, 7, 32, 256}) {
      const Segmentation cut{.rows = rows, .segment_rows = segment_rows};
      std::size_t next = 0;
      for (std::size_t segment = 0; segment < cut.segments(); ++segment) {
        EXPECT_EQ(cut.begin(segment), next);
        EXPECT_GE(cut.size(segment), 1U);
        EXPECT_LE(cut.size(segment), segment_rows);
        next += cut.size(segment);
      }
      EXPECT_EQ(next, rows);
    }
  }
}

TEST(Segmentation, GroupsCoverEverySegmentOnce) {
  for (std::size_t rows : {0, 1, 119, 120, 121, 480, 481, 100000}) {
    for (std::size_t group_segments : {1, 4, 16}) {
      const Segmentation cut{.rows = rows, .segment_rows = 120};
      std::size_t next = 0;
      std::size_t covered = 0;
      for (std::size_t index = 0; index < cut.groups(group_segments); ++index) {
        const SegmentGroup group = cut.group(index, group_segments);
        ASSERT_FALSE(group.empty());
        EXPECT_EQ(group.begin, next);
        EXPECT_LE(group.end - group.begin, group_segments);
        next = group.end;
        covered += cut.size(group);
      }
      EXPECT_EQ(next, cut.segments());
      EXPECT_EQ(covered, rows);
      EXPECT_TRUE(cut.group(cut.groups(group_segments), group_segments).empty());
      EXPECT_TRUE(cut.group(cut.groups(group_segments) + 7, group_segments).empty());
    }
  }
}

// The GPU codes several segments at once, as one piece of memory.
TEST(SegmentationRule, SegmentsOfAGroupFillTheirSlots) {
  for (std::size_t run : {1, 50, 1000, 1000000}) EXPECT_EQ(segment_rows(run, 77, 4), 77U);
}

TEST(SegmentationRule, KeepsSegmentsWithinTheirSlots) {
  for (std::size_t slots : {1, 17, 100, 1000, 30000}) {
    const std::size_t largest = slot_rows(slots);
    for (std::size_t run : {1, 50, 1000, 1000000}) {
      EXPECT_GE(segment_rows(run, largest), 1U);
      EXPECT_LE(segment_rows(run, largest), largest);
    }
  }
}

TEST(SegmentationRule, KeepsScratchWithinTwentyMebibytes) {
  constexpr std::size_t budget = std::size_t{20} << 20U;
  for (std::size_t slots = 1; slots <= 30000; ++slots) {
    EXPECT_LE(slots * slot_rows(slots) * gpu::wire_row_bytes, budget) << slots;
  }
}

}  // namespace
}  // namespace airamp::pmpi
