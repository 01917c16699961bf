// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/reason.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <string>

namespace airamp {
namespace {

TEST(Reason, HasANameOfItsOwnThatLeadsBackToIt) {
  std::set<std::string_view> names;
  for (std::uint64_t number = 0; number < reason_count; ++number) {
    const Reason reason = *reason_of(number);
    const std::string_view name = name_of(reason);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_TRUE(std::ranges::all_of(name, [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); })) << name;
    EXPECT_EQ(reason_named(name), reason);
  }
  EXPECT_EQ(name_of(Reason::none), "");
}

TEST(Reason, IsNotMadeOfWhatIsNone) {
  EXPECT_FALSE(reason_of(reason_count).has_value());
  EXPECT_FALSE(reason_of(~std::uint64_t{0}).has_value());
  EXPECT_EQ(reason_named("smaller than min_bytes"), Reason::none);
}

TEST(Reason, SaysWhatIsNotMadeOfFigures) {
  std::set<std::string_view> sentences;
  for (std::uint64_t number = 0; number < reason_count; ++number) {
    const std::string_view sentence = sentence_of(*reason_of(number));
    EXPECT_TRUE(sentence.empty() || sentences.insert(sentence).second) << sentence;
  }
  EXPECT_EQ(sentence_of(Reason::below_min_bytes), "smaller than min_bytes");
  EXPECT_EQ(sentence_of(Reason::compression_off), "lossy compression is not enabled");
}

TEST(Reason, IsOneOfFewFallbacks) {  // docs/metrics.md
  EXPECT_EQ(fallback_of(Reason::too_slow), "too_slow");
  EXPECT_EQ(fallback_of(Reason::error_above_bound), "error_above_bound");
  EXPECT_EQ(fallback_of(Reason::imposed), "imposed");
  for (const Reason reason : {Reason::not_acquired, Reason::given_up, Reason::not_measurable}) {
    EXPECT_EQ(fallback_of(reason), "not_acquired");
  }
  for (const Reason reason : {Reason::below_min_bytes, Reason::unknown_type, Reason::different_memories}) {
    EXPECT_EQ(fallback_of(reason), "not_eligible");
  }
}

TEST(Reason, IsNoFallbackWhereNothingWasGivenUp) {
  for (const Reason reason : {Reason::none, Reason::measuring, Reason::fastest, Reason::order_promised})
    EXPECT_EQ(fallback_of(reason), "");
}

}  // namespace
}  // namespace airamp
