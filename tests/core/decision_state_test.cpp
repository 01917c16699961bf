// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/decision_state.hpp"

#include <gtest/gtest.h>

namespace airamp {
namespace {

TEST(DecisionState, HasTheNamesOfTheReport) {  // docs/report.md
  EXPECT_EQ(to_string(DecisionState::measuring), "measuring");
  EXPECT_EQ(to_string(DecisionState::decided), "decided");
  EXPECT_EQ(to_string(DecisionState::not_eligible), "not-eligible");
  EXPECT_EQ(to_string(DecisionState::failed), "failed");
}

TEST(DecisionState, ComesBackFromItsNumberAndItsName) {
  for (std::uint64_t number = 0; number < every_decision_state.size(); ++number) {
    const std::optional<DecisionState> state = decision_state_of(number);
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(static_cast<std::uint64_t>(*state), number);
    EXPECT_EQ(decision_state_named(to_string(*state)), *state);
  }
}

TEST(DecisionState, IsNotMadeOfWhatIsNone) {
  EXPECT_FALSE(decision_state_of(every_decision_state.size()).has_value());
  EXPECT_FALSE(decision_state_of(std::uint64_t{1} << 32U).has_value());
  EXPECT_EQ(decision_state_named("Decided"), DecisionState::unknown);
}

}  // namespace
}  // namespace airamp
