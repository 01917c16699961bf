// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/decide/call.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/state/communicator_policy.hpp"

namespace airamp::pmpi {

// From some collectives a rank may return natively before all have come: from a broadcast the root. Programs that rely
// on it are against the standard, and work. So an agreement before such a call holds nobody up for longer than a while:
// it is a meeting in shared memory, beside the ranks' GPUs or in their host, that may be closed. Where there is none
// these calls are not asked about, unless an algorithm is imposed: a call that all ranks wait for makes the first.

/// Whether natively some rank may leave a call of the kind before all have come, and is to be let go here as well: not
/// where an order of additions is promised, for which all must come.
bool is_unsynchronized(Kind kind);

/// Whether nobody is asked about such calls until the ranks' meeting, which was closed, has been opened again: by a
/// call that all ranks wait for, or by their vote. The same on all ranks.
inline bool is_meeting_shut(const CommunicatorState& state) noexcept {
  const HostMeeting* const meeting = state.resources.meeting();
  return meeting != nullptr && meeting->was_closed();
}

void count_native_step(GatedCalls& gated);

/// In each call that stays native; the first ones count, and those behind a meeting that was closed.
inline void count_native(GatedCalls& gated) {
  if (gated.waiting.is_native()) [[unlikely]]
    count_native_step(gated);
}

/// Whether it stays so in this call, which is native then. Once in each one of which its gate would have the ranks
/// asked. Beside their GPUs ranks do not vote: there nobody notes by how many calls they pass (`pass_by`).
inline bool stays_shut(const CommunicatorState& state, GatedCalls& gated) {
  if (!is_meeting_shut(state)) return false;
  const bool votes = !gated.waiting.rests() || imposed_algorithm(state).has_value();
  if (state.resources.peers.made == nullptr && state.resources.meeting()->begins_anew(votes)) return false;
  count_native(gated);
  return true;
}

/// Whether the ranks may be asked about such a call. The same on all ranks. Once in each call of which its gate would
/// have them asked. MPI may raise an error. Throws std::bad_alloc.
Result<bool> may_unsynchronized_be_asked_about(CommunicatorState& state, GatedCalls& gated);

/// Before a call that this rank leaves to the MPI library, as no rank is to be asked about it: in a program that breaks
/// MPI's rules others may wait for this rank. The same calls on all ranks of any other program. Not where they meet
/// beside their GPUs.
inline void pass_by(const CommunicatorState& state) {
  if (state.resources.peers.made != nullptr) return;
  if (HostMeeting* const meeting = state.resources.meeting()) meeting->pass_by();
}

/// How long this rank waits for the others in the agreement before a call of so many bytes, of which it may be the only
/// one that knows them; nothing if it waits until they come, as all ranks do then.
std::optional<HostMeeting::Patience> patience_in(const CollectiveCall& collective, const CommunicatorState& state,
                                                 std::uint64_t bytes);

/// How long a rank lets itself be held up by others in such a call of so many bytes.
double patience_seconds(const CommunicatorState& state, std::uint64_t bytes);

/// From one call to the next of a kind in which all ranks meet: none takes less that is carried. 0: not known of it.
double least_step_seconds(Kind kind, int ranks);

/// After a meeting that was closed: ever more calls pass until the next is asked about, for each closed meeting has
/// cost some rank its patience.
void pause_agreements(GatedCalls& gated);

/// After one that took place: many of them make up for one closed meeting.
void count_meeting(GatedCalls& gated);

/// The same of a call that gains so much, and that was carried on this rank's own patience.
void count_carried_meeting(GatedCalls& gated, double gain_seconds, const HostMeeting& meeting);

/// Whether the ranks are to be asked about a call, which is native if not. It may be asked again once it has said so.
inline bool opens(GatedCalls& gated) {
  if (gated.gate.open()) return true;
  count_native(gated);
  return false;
}

/// How long a rank waits in such a call that natively would wait for `usual`, after those before it. `imposed`: the
/// algorithm is, and the call is to be carried whatever it costs.
inline HostMeeting::Patience learned_patience(const HostMeeting::Patience& usual, GatedCalls& gated, bool imposed) {
  return imposed ? usual
                 : HostMeeting::Patience{.seconds = gated.waiting.patience(usual.seconds), .first = usual.first};
}

}  // namespace airamp::pmpi
