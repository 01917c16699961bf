// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/axis.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

namespace airamp::report_page {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();

auto near(double value) { return DoubleNear(value, 1e-9 * value); }

TEST(LinearAxis, EndsAtTheRoundNumberAbove) {
  const LinearAxis axis(9.3, 100, 600);
  EXPECT_THAT(axis.ticks(), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_DOUBLE_EQ(axis.position(0), 100);
  EXPECT_DOUBLE_EQ(axis.position(5), 350);
  EXPECT_DOUBLE_EQ(axis.position(10), 600);
}

TEST(LinearAxis, EndsExactlyWhereItIsTold) {
  const LinearAxis axis(9.3, 0, 93, LinearAxis::End::exact);
  EXPECT_THAT(axis.ticks(), ElementsAre(0, 2, 4, 6, 8));
  EXPECT_DOUBLE_EQ(axis.position(9.3), 93);
}

TEST(LinearAxis, MayRunUpwards) {
  const LinearAxis axis(10, 200, 0);
  EXPECT_DOUBLE_EQ(axis.position(2.5), 150);
}

TEST(LinearAxis, KeepsEverythingOnIt) {
  const LinearAxis axis(10, 0, 100);
  EXPECT_EQ(axis.position(-1), 0);
  EXPECT_EQ(axis.position(1e300), 100);
  EXPECT_EQ(axis.position(infinity), 100);
  EXPECT_EQ(axis.position(std::nan("")), 0);
}

TEST(LinearAxis, TakesAnyEnd) {
  for (const double last : {0.0, -1.0, 5e-324, 1e-16, 1e307, infinity, std::nan("")}) {
    const LinearAxis axis(last, 0, 100);
    EXPECT_GE(axis.ticks().size(), 2U) << last;
    EXPECT_LE(axis.ticks().size(), 12U) << last;
    EXPECT_EQ(axis.position(axis.ticks().back()), 100) << last;
  }
}

TEST(LogAxis, HasFineStepsWhereItIsShort) {
  const LogAxis axis(0.5, 2, 0, 200);
  EXPECT_THAT(axis.ticks(), ElementsAre(near(0.5), near(0.7), near(1), near(1.5), near(2)));
  EXPECT_NEAR(axis.position(0.5), 0, 1e-9);
  EXPECT_NEAR(axis.position(1), 100, 1e-9);  // half way, as 1 is 2 times 0.5 and 2 is 2 times 1
  EXPECT_NEAR(axis.position(2), 200, 1e-9);
}

TEST(LogAxis, HasOneTwoFiveInBetween) {
  EXPECT_THAT(LogAxis(0.0021, 0.2, 0, 1).ticks(),
              ElementsAre(near(0.002), near(0.005), near(0.01), near(0.02), near(0.05), near(0.1), near(0.2)));
}

TEST(LogAxis, HasPowersOfTenWhereItIsLong) {
  EXPECT_THAT(LogAxis(3e-6, 0.05, 0, 1).ticks(),
              ElementsAre(near(1e-6), near(1e-5), near(1e-4), near(1e-3), near(0.01), near(0.1)));
}

TEST(LogAxis, SkipsPowersOfTenWhereItIsVeryLong) {
  const LogAxis axis(1e-12, 1e12, 0, 240);
  EXPECT_LE(axis.ticks().size(), 12U);
  EXPECT_LE(axis.ticks().front(), 1e-12 * 1.001);
  EXPECT_GE(axis.ticks().back(), 1e12 * 0.999);
}

TEST(LogAxis, KeepsEverythingOnIt) {
  const LogAxis axis(1, 10, 50, 150);
  for (const double low : {0.0, -3.0, 0.1, std::nan(""), -infinity}) EXPECT_EQ(axis.position(low), 50) << low;
  for (const double high : {11.0, 1e300, infinity}) EXPECT_EQ(axis.position(high), 150) << high;
}

}  // namespace
}  // namespace airamp::report_page
