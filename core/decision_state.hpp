// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace airamp {

/// How far the decision on a kind of calls has come. Segments hold the numbers: a new one is a new layout version.
enum class DecisionState : std::uint8_t {
  unknown,       ///< of a report that does not say
  measuring,     ///< not decided yet
  decided,       ///< for a path, the native one or another
  not_eligible,  ///< the ranks did not find these calls eligible, or were not asked
  failed         ///< its communication failed; its calls return an error
};

inline constexpr std::array every_decision_state = {DecisionState::unknown, DecisionState::measuring,
                                                    DecisionState::decided, DecisionState::not_eligible,
                                                    DecisionState::failed};

/// The name of a state in reports and metrics; that of `unknown`, and of a value that is none, is empty.
constexpr std::string_view to_string(DecisionState state) {
  switch (state) {
    case DecisionState::unknown:
      break;
    case DecisionState::measuring:
      return "measuring";
    case DecisionState::decided:
      return "decided";
    case DecisionState::not_eligible:
      return "not-eligible";
    case DecisionState::failed:
      return "failed";
  }
  return {};
}

/// The state of that number; nothing if there is none.
constexpr std::optional<DecisionState> decision_state_of(std::uint64_t number) {
  if (number >= every_decision_state.size()) return std::nullopt;
  return every_decision_state[number];
}

/// The state of that name; `unknown` if there is none.
constexpr DecisionState decision_state_named(std::string_view name) {
  for (const DecisionState state : every_decision_state) {
    if (to_string(state) == name) return state;
  }
  return DecisionState::unknown;
}

}  // namespace airamp
