// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/recent_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace airamp::telemetry {
namespace {

TEST(RecentSamples, HasNoMedianWithoutSamples) {
  const RecentSamples samples;
  EXPECT_TRUE(samples.empty());
  EXPECT_TRUE(std::isnan(samples.median()));
}

TEST(RecentSamples, GivesTheMedian) {
  RecentSamples samples;
  for (double value : {5.0, 1.0, 3.0}) samples.record(value);
  EXPECT_EQ(samples.median(), 3.0);
  samples.record(4.0);
  EXPECT_EQ(samples.median(), 4.0);
}

TEST(RecentSamples, ForgetsTheOldest) {
  RecentSamples samples;
  for (int i = 0; i < 1000; ++i) samples.record(1.0);
  for (int i = 0; i < 64; ++i) samples.record(2.0);
  EXPECT_EQ(samples.median(), 2.0);
}

}  // namespace
}  // namespace airamp::telemetry
