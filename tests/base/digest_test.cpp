// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/digest.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <set>

namespace airamp::base {
namespace {

std::uint64_t digest_of(std::initializer_list<std::uint64_t> numbers) {
  Digest digest;
  for (const std::uint64_t number : numbers) digest.add(number);
  return digest.value();
}

TEST(Digest, TellsNumbersAndTheirOrderApart) {
  const std::set<std::uint64_t> digests = {digest_of({}),           digest_of({0}),    digest_of({0, 0}),
                                           digest_of({1}),          digest_of({1, 2}), digest_of({2, 1}),
                                           digest_of({1ULL << 63U})};
  EXPECT_EQ(digests.size(), 7U);
  EXPECT_EQ(digest_of({1, 2}), digest_of({1, 2}));
  EXPECT_FALSE(digests.contains(0));
}

TEST(Digest, TakesTheBitsOfFloatingPointNumbers) {
  Digest positive;
  Digest negative;
  positive.add(0.0);
  negative.add(-0.0);
  EXPECT_NE(positive.value(), negative.value());
}

}  // namespace
}  // namespace airamp::base
