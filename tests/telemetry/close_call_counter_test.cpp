// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/close_call_counter.hpp"

#include <gtest/gtest.h>

namespace airamp::telemetry {
namespace {

TEST(CloseCallCounter, CountsCallsThatFollowSoonerThanTheOneBeforeTook) {
  CloseCallCounter counter;
  counter.note(true, 1000, 1010);
  counter.note(true, 1015, 1027);  // 5 after one of 10
  counter.note(true, 1030, 1040);  // 3 after one of 12
  EXPECT_EQ(counter.groups(), 1U);
  EXPECT_EQ(counter.calls(), 3U);
  EXPECT_EQ(counter.following_ticks(), 12U + 10U);
  counter.note(true, 1050, 1060);  // 10 after one of 10
  EXPECT_EQ(counter.calls(), 3U);
  counter.note(true, 1061, 1070);
  EXPECT_EQ(counter.groups(), 2U);
  EXPECT_EQ(counter.calls(), 5U);
}

TEST(CloseCallCounter, EndsAGroupAtAnyOtherCall) {
  CloseCallCounter counter;
  counter.note(true, 1000, 1010);
  counter.note(false, 1011, 1012);
  counter.note(true, 1013, 1023);
  EXPECT_EQ(counter.groups(), 0U);
  counter.note(true, 1024, 1030);
  EXPECT_EQ(counter.groups(), 1U);
  EXPECT_EQ(counter.calls(), 2U);
}

TEST(CloseCallCounter, AddsUp) {
  CloseCallCounter sum;
  CloseCallCounter other;
  for (std::uint64_t i = 0; i < 3; ++i) other.note(true, 100 + 10 * i, 109 + 10 * i);
  sum.add(other);
  sum.add(other);
  EXPECT_EQ(sum.groups(), 2U);
  EXPECT_EQ(sum.calls(), 6U);
  EXPECT_EQ(sum.following_ticks(), 4U * 9U);
}

}  // namespace
}  // namespace airamp::telemetry
