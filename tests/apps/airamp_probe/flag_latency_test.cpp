// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp_probe/flag_latency.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

namespace airamp::probe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(FlagPairsTest, AllOfFewProcessors) {
  EXPECT_THAT(flag_pairs({}), IsEmpty());
  EXPECT_THAT(flag_pairs({3}), IsEmpty());
  EXPECT_THAT(flag_pairs({1, 3, 8}), ElementsAre(Pair(1, 3), Pair(1, 8), Pair(3, 8)));
}

TEST(FlagPairsTest, OfManyProcessorsEachWithTheFirstAndTheNext) {
  std::vector<int> processors(128);
  std::iota(processors.begin(), processors.end(), 0);
  // 127 with the first, and 126 more with the next: that of the first is among them.
  EXPECT_EQ(flag_pairs(processors).size(), 127U + 126U);
}

}  // namespace
}  // namespace airamp::probe
