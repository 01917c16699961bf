// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/decide/shortcut.hpp"
#include "pmpi/entry/footprints.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// A call that has a shortcut.
struct KnownCall {
  CommunicatorState* state;
  Shortcut* shortcut;
  Footprint* footprint;
};

/// `arguments`: the call's. Made for each type of call.
template <class Collective>
std::optional<KnownCall> known_call(const Collective& call, const std::optional<CallArguments>& arguments) {
  if (!arguments) return std::nullopt;
  Footprint& footprint = footprints.fetch(call.communicator(), *arguments);
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  if (state == nullptr || is_refused(call)) return std::nullopt;
  Shortcut* const known = shortcut_of(*state, *arguments);
  return known != nullptr ? std::optional(KnownCall{state, known, &footprint}) : std::nullopt;
}

}  // namespace airamp::pmpi
