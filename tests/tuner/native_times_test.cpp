// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/native_times.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>

namespace airamp::tuner {
namespace {

NativeTimes times_of(Statistic statistic, std::initializer_list<double> seconds) {
  NativeTimes times(statistic);
  for (const double time : seconds) times.add(time);
  return times;
}

TEST(NativeTimes, TheSmallestOrTheMiddleOneStandsForAll) {
  EXPECT_EQ(times_of(Statistic::minimum, {5, 1, 4, 2, 3}).seconds(), 1);
  EXPECT_EQ(times_of(Statistic::median, {5, 1, 4, 2, 3}).seconds(), 3);
  EXPECT_EQ(times_of(Statistic::median, {4, 1, 3, 2}).seconds(), 2);
  EXPECT_EQ(times_of(Statistic::median, {7}).seconds(), 7);
}

TEST(NativeTimes, NoneAreNoNumber) {
  for (const Statistic statistic : {Statistic::minimum, Statistic::median}) {
    NativeTimes times(statistic);
    EXPECT_TRUE(std::isnan(times.seconds()));
    times.add(1);
    times.clear();
    EXPECT_TRUE(std::isnan(times.seconds()));
  }
}

}  // namespace
}  // namespace airamp::tuner
