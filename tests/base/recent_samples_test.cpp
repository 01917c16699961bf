// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/recent_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace airamp::base {
namespace {

TEST(RecentSamples, HasNoMedianWithoutSamples) {
  const RecentSamples<> samples;
  EXPECT_TRUE(samples.empty());
  EXPECT_TRUE(std::isnan(samples.median()));
}

TEST(RecentSamples, GivesTheMedian) {
  RecentSamples<> samples;
  for (double value : {5.0, 1.0, 3.0}) samples.record(value);
  EXPECT_EQ(samples.median(), 3.0);
  samples.record(4.0);
  EXPECT_EQ(samples.median(), 4.0);
}

TEST(RecentSamples, ForgetsTheOldest) {
  RecentSamples<> samples;
  for (int i = 0; i < 1000; ++i) samples.record(1.0);
  for (int i = 0; i < 64; ++i) samples.record(2.0);
  EXPECT_EQ(samples.median(), 2.0);
}

TEST(RecentSamples, CountsThoseThatItHasNotForgotten) {
  RecentSamples<3> samples;
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(samples.size(), std::min<std::size_t>(i, 3));
    samples.record(static_cast<double>(i));
  }
  EXPECT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples.median(), 3.0);
}

}  // namespace
}  // namespace airamp::base
