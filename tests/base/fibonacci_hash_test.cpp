// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/fibonacci_hash.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace airamp::base {
namespace {

/// How many of 64 places some keys of this distance have, where each has one of its own at best.
int places_of_keys(std::uint64_t first, std::uint64_t distance) {
  std::array<bool, 64> has_key{};
  int places = 0;
  for (std::uint64_t i = 0; i < 32; ++i) {
    bool& place = has_key.at(place_by_hash<64>(first + i * distance));
    if (!place) ++places;
    place = true;
  }
  return places;
}

TEST(FibonacciHash, KeysThatFollowEachOtherShareNoPlace) {
  for (const std::uint64_t first : {0U, 1U, 12345U}) EXPECT_EQ(places_of_keys(first, 1), 32) << first;
}

TEST(FibonacciHash, AddressesOfHandlesLieApart) {
  // by their lowest six bits all would have one place
  for (const std::uint64_t distance : {64U, 512U, 4096U}) {
    EXPECT_GE(places_of_keys(0x7f0000001000U, distance), 24) << distance;
  }
}

TEST(FibonacciHash, TheSmallestTableHasTwoPlaces) {
  EXPECT_EQ(place_by_hash<2>(0), 0U);
  EXPECT_EQ(place_by_hash<2>(1), 1U);
}

}  // namespace
}  // namespace airamp::base
