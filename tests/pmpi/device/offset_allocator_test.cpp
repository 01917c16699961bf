// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/offset_allocator.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace airamp::pmpi {
namespace {

constexpr std::size_t unit = OffsetAllocator::granularity;

TEST(OffsetAllocator, GivesTheFirstFreePart) {
  OffsetAllocator parts(10 * unit);
  EXPECT_EQ(parts.allocate(3 * unit), 0U);
  EXPECT_EQ(parts.allocate(2 * unit), 3 * unit);
  EXPECT_EQ(parts.allocate(5 * unit), 5 * unit);
  EXPECT_EQ(parts.allocate(1), std::nullopt);
  parts.free(3 * unit);
  EXPECT_EQ(parts.allocate(3 * unit), std::nullopt);
  EXPECT_EQ(parts.allocate(unit), 3 * unit);
  EXPECT_EQ(parts.allocate(unit), 4 * unit);
}

TEST(OffsetAllocator, RoundsSizesUpAndTheCapacityDown) {
  OffsetAllocator parts(3 * unit - 1);
  EXPECT_EQ(parts.largest(), 2 * unit);
  EXPECT_EQ(parts.allocate(1), 0U);
  EXPECT_EQ(parts.largest(), unit);
  EXPECT_EQ(parts.allocate(unit + 1), std::nullopt);
  EXPECT_EQ(parts.allocate(unit), unit);
  EXPECT_EQ(parts.largest(), 0U);
}

TEST(OffsetAllocator, JoinsNeighboursThatWereFreed) {
  OffsetAllocator parts(4 * unit);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(parts.allocate(unit));
  parts.free(1 * unit);
  parts.free(2 * unit);
  EXPECT_EQ(parts.largest(), 2 * unit);
  EXPECT_EQ(parts.allocate(2 * unit), unit);
}

TEST(OffsetAllocator, HasNothingWithoutCapacity) {
  OffsetAllocator parts(unit - 1);
  EXPECT_EQ(parts.largest(), 0U);
  EXPECT_EQ(parts.allocate(1), std::nullopt);
}

TEST(OffsetAllocator, RefusesSizesThatOverflow) {
  OffsetAllocator parts(4 * unit);
  ASSERT_EQ(parts.allocate(unit), 0U);
  EXPECT_EQ(parts.allocate(std::size_t{0} - unit), std::nullopt);
  EXPECT_EQ(parts.allocate(std::size_t{0} - 1), std::nullopt);
}

/// Against a table of who owns which unit.
TEST(OffsetAllocator, NeverGivesAPartTwiceNorLosesOne) {
  constexpr std::size_t units = 64;
  OffsetAllocator parts(units * unit);
  std::vector<int> owner(units, 0);
  std::vector<std::pair<std::size_t, std::size_t>> taken;  // first unit, units
  std::mt19937 random(7);
  for (int step = 1; step <= 20000; ++step) {
    if (!taken.empty() && random() % 2 == 0) {
      const std::size_t which = random() % taken.size();
      const auto [first, count] = taken[which];
      for (std::size_t i = first; i < first + count; ++i) owner[i] = 0;
      parts.free(first * unit);
      taken.erase(taken.begin() + static_cast<std::ptrdiff_t>(which));
    } else {
      const std::size_t count = 1 + random() % 12;
      std::size_t longest = 0;
      for (std::size_t i = 0, run = 0; i < units; ++i) {
        run = owner[i] == 0 ? run + 1 : 0;
        longest = std::max(longest, run);
      }
      ASSERT_EQ(parts.largest(), longest * unit);
      const auto offset = parts.allocate(count * unit - random() % unit);
      ASSERT_EQ(offset.has_value(), count <= longest);
      if (!offset) continue;
      ASSERT_EQ(*offset % unit, 0U);
      for (std::size_t i = *offset / unit; i < *offset / unit + count; ++i) {
        ASSERT_EQ(owner.at(i), 0);
        owner[i] = step;
      }
      taken.emplace_back(*offset / unit, count);
    }
  }
}

}  // namespace
}  // namespace airamp::pmpi
