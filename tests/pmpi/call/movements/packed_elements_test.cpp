// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/movements/packed_elements.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

constexpr MPI_Count four_mebibytes = 4 << 20;

TEST(PackedElements, AreFourMebibytesAtMost) {
  EXPECT_TRUE(fits_packed(four_mebibytes, 1));
  EXPECT_FALSE(fits_packed(four_mebibytes + 1, 1));
  EXPECT_TRUE(fits_packed(four_mebibytes / 12, 12));
  EXPECT_FALSE(fits_packed(four_mebibytes / 12 + 1, 12));
  EXPECT_TRUE(fits_packed(1, four_mebibytes));
  EXPECT_FALSE(fits_packed(1, four_mebibytes + 1));
}

TEST(PackedElements, MayBeNoneOrAMistake) {
  EXPECT_TRUE(fits_packed(0, 8));
  EXPECT_TRUE(fits_packed(-1, 8));
}

TEST(PackedElements, AreOfTypesThatHaveBytesAndDoNotLieAsTheyAreSent) {
  EXPECT_TRUE(is_carried_packed({.size = 12, .packed = false}));
  EXPECT_FALSE(is_carried_packed({.size = 12, .packed = true}));
  EXPECT_FALSE(is_carried_packed({.size = 0, .packed = false}));
}

TEST(PackedElements, OfEitherSideMakeACallOneThatIsPacked) {
  const LocalFacts plain{.lossless = true};
  const LocalFacts packed{.lossless = true, .packed = true};
  const LocalFacts refused{};
  for (const LocalFacts& given : {plain, packed, refused}) {
    for (const LocalFacts& taken : {plain, packed, refused}) {
      LocalFacts facts = taken;
      facts.and_those(given);
      EXPECT_EQ(facts.lossless, taken.lossless && given.lossless);
      EXPECT_EQ(facts.packed, facts.lossless && (taken.packed || given.packed));
    }
  }
}

}  // namespace
}  // namespace airamp::pmpi
