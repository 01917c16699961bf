// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/closest_name.hpp"

#include <gtest/gtest.h>

namespace airamp::base {
namespace {

const std::vector<std::string> names = {"min_bytes", "min_speedup", "codec", "force"};

TEST(ClosestName, FindsMissingAddedChangedAndSwappedLetters) {
  EXPECT_EQ(closest_name("min_byte", names), "min_bytes");
  EXPECT_EQ(closest_name("min__bytes", names), "min_bytes");
  EXPECT_EQ(closest_name("min-speedup", names), "min_speedup");
  EXPECT_EQ(closest_name("ocdec", {"min_bytes", "min_speedup", "codecs"}), "");
  EXPECT_EQ(closest_name("fource", names), "force");
}

TEST(ClosestName, IgnoresCase) { EXPECT_EQ(closest_name("Min_Bytes", names), "min_bytes"); }

TEST(ClosestName, TakesTheCloserOfTwo) { EXPECT_EQ(closest_name("abcdefg", {"abcdeff2", "abcdefh"}), "abcdefh"); }

TEST(ClosestName, FindsNothingFarAway) {
  EXPECT_EQ(closest_name("temperature", names), "");
  EXPECT_EQ(closest_name("", names), "");
  EXPECT_EQ(closest_name(std::string(100000, 'c'), names), "");
}

}  // namespace
}  // namespace airamp::base
