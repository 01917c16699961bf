// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace airamp::base {
namespace {

TEST(QuantityText, WritesTimesInAUnitThatSuits) {
  EXPECT_EQ(duration(8.5e-7), "850 ns");
  EXPECT_EQ(duration(1.23e-2), "12.3 ms");
  EXPECT_EQ(duration(4.5), "4.50 s");
  EXPECT_EQ(duration(7380), "2 h 03 min");
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(std::nan("")), "-");
  EXPECT_EQ(duration(std::numeric_limits<double>::infinity()), "longer");
}

TEST(QuantityText, WritesBytesInBinaryUnits) {
  EXPECT_EQ(byte_size(0), "0 B");
  EXPECT_EQ(byte_size(1536), "1.5 KiB");
  EXPECT_EQ(byte_size(16U << 20U), "16 MiB");
}

TEST(QuantityText, RoundsNoPartToNothingOrAll) {
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1e-6), "below 0.1 %");
  EXPECT_EQ(percent(0.1234), "12.3 %");
  EXPECT_EQ(percent(0.99999), "above 99.9 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(std::nan("")), "-");
}

TEST(QuantityText, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "rank", "ranks"), "1 rank");
  EXPECT_EQ(counted(0, "rank", "ranks"), "0 ranks");
}

}  // namespace
}  // namespace airamp::base
