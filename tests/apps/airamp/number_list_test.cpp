// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/number_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace airamp::command_line {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(NumberListTest, AsTheKernelWritesThem) {
  EXPECT_THAT(parse_number_list("0-3,8"), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(parse_number_list("5"), ElementsAre(5));
  EXPECT_THAT(parse_number_list(""), IsEmpty());
}

TEST(NumberListTest, UpToWhatIsNone) {
  EXPECT_THAT(parse_number_list("-1"), ElementsAre(-1));  // of a device without a NUMA node
  EXPECT_THAT(parse_number_list("all"), IsEmpty());
  EXPECT_THAT(parse_number_list("2,x,4"), ElementsAre(2));
}

TEST(NumberListTest, RangesThatNoKernelWrites) {
  EXPECT_THAT(parse_number_list("2147483646-2147483647"), ElementsAre(2147483646, 2147483647));
  EXPECT_THAT(parse_number_list("2147483647-2147483648"), ElementsAre(2147483647));
  EXPECT_THAT(parse_number_list("3-"), ElementsAre(3));
  EXPECT_THAT(parse_number_list("3-1,7"), ElementsAre(7));
  const std::set<int> cut = parse_number_list("1-2147483647");
  EXPECT_EQ(cut.size(), 65536U);
  EXPECT_EQ(*cut.rbegin(), 65536);
}

TEST(NumberListTest, TheOtherWayRound) {
  EXPECT_EQ(number_list({}), "");
  EXPECT_EQ(number_list({4}), "4");
  EXPECT_EQ(number_list({0, 1, 2, 3, 8, 10, 11}), "0-3,8,10-11");
}

}  // namespace
}  // namespace airamp::command_line
