// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "pmpi/decide/call.hpp"
#include "pmpi/decide/watch/ghost_watch.hpp"
#include "pmpi/state/shortcuts.hpp"

namespace airamp::pmpi {

/// Whether calls on a communicator may have shortcuts: not where PoLA learns from every call.
inline bool has_shortcuts(const CommunicatorState& state) noexcept {
  return state.shortcuts != nullptr && !state.looked_at_by_pola && !ghosts_wanted();
}

/// The shortcut of a call; nullptr if it must be looked at.
inline Shortcut* shortcut_of(CommunicatorState& state, const CallArguments& arguments) noexcept {
  return has_shortcuts(state) ? state.shortcuts->find(arguments) : nullptr;
}

/// The same. Made for each type of call, so that it costs a few nanoseconds.
template <class Collective>
Shortcut* shortcut_of(CommunicatorState& state, const Collective& collective) noexcept {
  if (!has_shortcuts(state)) return nullptr;
  const std::optional<CallArguments> arguments = collective.arguments();
  return arguments ? state.shortcuts->find(*arguments) : nullptr;
}

/// Whether the signature's calls still go by the shortcut's candidate, if no call was looked at since it was checked:
/// nothing else but the number of calls makes the tuner want something new.
inline bool is_still_carried(const Shortcut& known) {
  return known.imposed || known.signature->tuner.next() == tuner::SignatureTuner::Step::choice;
}

/// Of an exchange, whether the ranks of the meeting, who all said the same, have a stream as long as those of the calls
/// before it.
inline bool is_as_long(const HostMeeting& meeting, const Shortcut& known) {
  return size_bucket(meeting.greatest_detail()) == size_bucket(known.longest_stream);
}

/// Whether arguments mean the same in each call: neither the datatype nor the operation can be freed, or look at what
/// the buffers hold.
bool is_lasting(const CallArguments& arguments);

/// Whether calls like this one need not be looked at each time, once one of them was.
bool may_have_shortcut(const Call& call);

/// Remembers a call that was looked at. `signature` and `candidate`: by what its agreement was its exchange, or by what
/// it was posted; nullptr: neither. Returns its shortcut; nullptr if it has none.
Shortcut* remember_shortcut(const Call& call, SignatureState* signature, std::size_t candidate);

}  // namespace airamp::pmpi
