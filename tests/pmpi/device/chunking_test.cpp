// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "pmpi/device/chunking_rule.hpp"
#include "pmpi/group/chunk_channel.hpp"

namespace airamp::pmpi {
namespace {

TEST(Chunking, CoversEveryRowOnce) {
  for (std::size_t rows : {0, 1, 31, 32, 33, 255, 256, 257, 100000}) {
    for (std::size_t chunk_rows : {1, 7, 32, 256}) {
      const Chunking cut{.rows = rows, .chunk_rows = chunk_rows};
      std::size_t next = 0;
      for (std::size_t chunk = 0; chunk < cut.chunks(); ++chunk) {
        EXPECT_EQ(cut.begin(chunk), next);
        EXPECT_GE(cut.size(chunk), 1U);
        EXPECT_LE(cut.size(chunk), chunk_rows);
        next += cut.size(chunk);
      }
      EXPECT_EQ(next, rows);
    }
  }
}

TEST(Chunking, GroupsCoverEveryChunkOnce) {
  for (std::size_t rows : {0, 1, 119, 120, 121, 480, 481, 100000}) {
    for (std::size_t group_chunks : {1, 4, 16}) {
      const Chunking cut{.rows = rows, .chunk_rows = 120};
      std::size_t next = 0;
      std::size_t covered = 0;
      for (std::size_t index = 0; index < cut.groups(group_chunks); ++index) {
        const ChunkGroup group = cut.group(index, group_chunks);
        ASSERT_FALSE(group.empty());
        EXPECT_EQ(group.begin, next);
        EXPECT_LE(group.end - group.begin, group_chunks);
        next = group.end;
        covered += cut.size(group);
      }
      EXPECT_EQ(next, cut.chunks());
      EXPECT_EQ(covered, rows);
      EXPECT_TRUE(cut.group(cut.groups(group_chunks), group_chunks).empty());
      EXPECT_TRUE(cut.group(cut.groups(group_chunks) + 7, group_chunks).empty());
    }
  }
}

// The GPU codes several chunks at once, as one piece of memory.
TEST(ChunkingRule, ChunksOfAGroupFillTheirSlots) {
  for (std::size_t run : {1, 50, 1000, 1000000}) EXPECT_EQ(chunk_rows(run, 77, 4), 77U);
}

TEST(ChunkingRule, KeepsChunksWithinTheirSlots) {
  for (std::size_t slots : {1, 17, 100, 1000, 30000}) {
    const std::size_t largest = slot_rows(slots);
    for (std::size_t run : {1, 50, 1000, 1000000}) {
      EXPECT_GE(chunk_rows(run, largest), 1U);
      EXPECT_LE(chunk_rows(run, largest), largest);
    }
  }
}

TEST(ChunkingRule, KeepsScratchWithinTwentyMebibytes) {
  constexpr std::size_t budget = std::size_t{20} << 20U;
  for (std::size_t slots = 1; slots <= 30000; ++slots) {
    EXPECT_LE(slots * slot_rows(slots) * codec::wire_row_bytes, budget) << slots;
  }
}

}  // namespace
}  // namespace airamp::pmpi
