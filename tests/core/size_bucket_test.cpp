// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/size_bucket.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace airamp {
namespace {

TEST(SizeBucket, HasPowerOfTwoBounds) {
  EXPECT_EQ(size_bucket(0), 0U);
  EXPECT_EQ(bucket_lower_bound(0), 0U);
  EXPECT_EQ(bucket_upper_bound(0), 0U);
  for (unsigned shift = 0; shift < 64; ++shift) {
    const std::uint64_t power = std::uint64_t{1} << shift;
    EXPECT_EQ(bucket_lower_bound(size_bucket(power)), power);
    EXPECT_EQ(bucket_upper_bound(size_bucket(power)), power + (power - 1));
    EXPECT_EQ(size_bucket(power - 1), shift);
  }
  EXPECT_LT(size_bucket(std::numeric_limits<std::uint64_t>::max()), size_buckets);
}

}  // namespace
}  // namespace airamp
