// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/quantities.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace airamp::report_page {
namespace {

const double nan = std::nan("");
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Share, IsAPartOfAWhole) {
  EXPECT_DOUBLE_EQ(share(1, 4), 0.25);
  EXPECT_EQ(share(5, 4), 1);
  EXPECT_EQ(share(-1, 4), 0);
}

TEST(Share, IsNothingOfNothing) {
  for (const double whole : {0.0, -2.0, nan}) EXPECT_EQ(share(1, whole), 0);
  EXPECT_EQ(share(0, 0), 0);
  EXPECT_EQ(share(infinity, infinity), 0);
  EXPECT_EQ(share(nan, 1), 0);
}

TEST(Percent, RoundsButNotToNothingOrAll) {
  EXPECT_EQ(percent(0.1234), "12.3 %");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1), "100 %");
  EXPECT_EQ(percent(0.0001), "below 0.1 %");
  EXPECT_EQ(percent(0.99999), "above 99.9 %");
  EXPECT_EQ(percent(nan), "–");
}

TEST(Duration, HasMinutesAndSeconds) {
  EXPECT_EQ(duration(186.2), "3 min 06 s");
  EXPECT_EQ(duration(119.7), "120 s");
  EXPECT_EQ(duration(3599.9), "60 min 00 s");
  EXPECT_EQ(duration(7320), "2 h 02 min");
  EXPECT_EQ(duration(0.0124), "12.4 ms");
  EXPECT_EQ(duration(nan), "–");
}

TEST(SpeedupText, HasThreeDigits) {
  EXPECT_EQ(speedup_text(1.8249), "1.82×");
  EXPECT_EQ(speedup_text(12.34), "12.3×");
  EXPECT_EQ(speedup_text(nan), "–");
}

TEST(ErrorText, HasTwoDigits) {
  EXPECT_EQ(error_text(0.0384), "0.038");
  EXPECT_EQ(error_text(1.23e-5), "1.2×10⁻⁵");
  EXPECT_EQ(error_text(4.5e12), "4.5×10¹²");
  EXPECT_EQ(error_text(0), "0");
  EXPECT_EQ(error_text(nan), "–");
  EXPECT_EQ(error_text(infinity), "∞");
}

TEST(SizeRange, NamesTheBucket) {
  EXPECT_EQ(size_range(0), "0 B");
  EXPECT_EQ(size_range(1), "1–2 B");
  EXPECT_EQ(size_range(1U << 20U), "1–2 MiB");
  EXPECT_EQ(size_range(1U << 19U), "512 KiB–1 MiB");
  EXPECT_EQ(size_range(1536), "from 1.50 KiB");
  EXPECT_EQ(size_range(std::uint64_t{1} << 63U), "from 8 EiB");
}

TEST(Counted, KnowsSingularAndPlural) {
  EXPECT_EQ(counted(0, "call", "calls"), "0 calls");
  EXPECT_EQ(counted(1, "call", "calls"), "1 call");
  EXPECT_EQ(counted(12345, "call", "calls"), "12\u202f345 calls");
}

TEST(Unbroken, HasSpacesThatDoNotBreak) { EXPECT_EQ(unbroken("1 min 5 s"), "1\u00a0min\u00a05\u00a0s"); }

TEST(TimeUnit, SuitsTheLargest) {
  EXPECT_STREQ(time_unit(5e-5).name, "µs");
  EXPECT_STREQ(time_unit(0.2).name, "ms");
  EXPECT_STREQ(time_unit(200).name, "s");
  EXPECT_STREQ(time_unit(7000).name, "min");
  EXPECT_STREQ(time_unit(1e6).name, "h");
  EXPECT_EQ(time_unit(7000).seconds, 60);
}

}  // namespace
}  // namespace airamp::report_page
