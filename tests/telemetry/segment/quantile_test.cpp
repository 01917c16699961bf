// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/quantile.hpp"

#include <gtest/gtest.h>

namespace airamp::telemetry {
namespace {

TEST(Quantile, IsTheUpperBoundOfItsBucket) {
  std::array<std::uint64_t, latency_buckets> histogram{};
  EXPECT_TRUE(std::isnan(quantile(histogram, 0.5)));
  histogram[1] = 98;
  histogram[4] = 2;
  EXPECT_DOUBLE_EQ(quantile(histogram, 0), 512e-9);
  EXPECT_DOUBLE_EQ(quantile(histogram, 0.5), 512e-9);
  EXPECT_DOUBLE_EQ(quantile(histogram, 0.98), 512e-9);
  EXPECT_DOUBLE_EQ(quantile(histogram, 0.99), 4096e-9);
}

TEST(Quantile, IsInfiniteInTheLastBucket) {
  std::array<std::uint64_t, latency_buckets> histogram{};
  histogram.back() = 1;
  EXPECT_TRUE(std::isinf(quantile(histogram, 0.5)));
}

}  // namespace
}  // namespace airamp::telemetry
