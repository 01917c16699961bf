// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/decide/call.hpp"
#include "pmpi/decide/watch/ghost_watch.hpp"
#include "pmpi/state/shortcuts.hpp"

namespace airamp::pmpi {

/// The shortcut of a call; nullptr if it must be looked at.
const Shortcut* shortcut_of(const Call& call) noexcept;

/// Whether a call goes native as its like did, whose agreements pause: what `decide` would find. Counts it as skipped
/// then. Made for each type of call, so that it costs a few nanoseconds.
template <class Collective>
bool goes_native_again(const Collective& collective) noexcept {
  CommunicatorState* const state = latest_communicator_state(collective.communicator());
  if (state == nullptr || state->shortcuts == nullptr || state->looked_at_by_pola || ghosts_wanted()) return false;
  const std::optional<CallArguments> arguments = collective.arguments();
  const Shortcut* const known = arguments ? state->shortcuts->find(*arguments) : nullptr;
  return known != nullptr && !known->gated->gate.open();
}

/// A call whose like went through shared memory with its agreement, if nothing has changed since on this rank: lays out
/// its data, and comes to the agreement with the same word as then. Whether all ranks did; if not, the call goes on as
/// one that this rank has come to the agreement for.
bool exchange_again(Call& call, const Shortcut& known);

/// Remembers a call that was looked at. `signature` and `candidate`: by what its agreement was its exchange; nullptr:
/// it was not.
void remember_shortcut(const Call& call, SignatureState* signature, std::size_t candidate);

}  // namespace airamp::pmpi
