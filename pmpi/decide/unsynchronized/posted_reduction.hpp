// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "pmpi/call/reduce_call.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

// MPI wants the arguments of a reduce equal on all ranks. So where the ranks have agreed, by the tuner as always, that
// calls of some signature go through shared memory, and know in which order calls of that length and root add, each of
// them knows of the next one without a question. All but the root leave their data for it and go on, as natively.

// Programs in which they differ, and pass natively, are not to wait for each other here: who does not post a call says
// so, and a root that meets a length for the first time looks whether the others have posted a shorter one.

/// Whether a call may be posted, as far as its function and length say; the same on all ranks.
inline bool may_be_posted_reduction(Kind kind, std::uint64_t bytes, const CommunicatorState& state) {
  return kind == Kind::reduce && bytes > 0 && bytes <= ContributionRing::max_bytes &&
         state.resources.contributions() != nullptr;
}

/// After an agreement of all ranks: what was found of calls while none were posted holds no longer.
inline void post_reductions_again(CommunicatorState& state) {
  state.posts_no_reductions = false;
  ++state.looked_at;
}

/// Such a call, before anything else is done with it. Returns an MPI error code if the call is over; nothing if it is
/// to be looked at as any other, on all ranks.
std::optional<int> run_posted_reduction(const CollectiveCall& reduction, std::uint64_t bytes, CommunicatorState& state);

/// The same of one that has a shortcut.
std::optional<int> run_posted_reduction(const CollectiveCall& reduction, CommunicatorState& state, Shortcut& known);

/// Whether a call counts as one that is posted or passes by; the same on all ranks.
inline bool posts_or_passes(const ReduceCall& reduction, std::uint64_t bytes, const CommunicatorState& state) {
  return state.resources.contributions() != nullptr && bytes > 0 && !has_no_such_root(reduction, state) &&
         is_still_admitted(state, Kind::reduce, bytes);
}

/// Whether this is the root of such a call, and others may have posted a shorter one: not where all ranks were once at
/// a call like this. `known`: its shortcut, if it has one.
inline bool may_be_shorter_elsewhere(const ReduceCall& reduction, std::uint64_t bytes, const CommunicatorState& state,
                                     const Shortcut* known) noexcept {
  return reduction.root() == state.rank && bytes > state.shortest_posted_reduction &&
         (known == nullptr || !known->agreed);
}

/// Such a call that is not posted on this rank. If the others have posted a shorter one, it is over with what they have
/// given: an MPI error code. Else nothing.
std::optional<int> run_as_shorter_reduction(const ReduceCall& reduction, CommunicatorState& state);

/// The rest of one to which this rank has gone on by `known.post`, and could not end it. Returns an MPI error code.
int end_posted_reduction(const CollectiveCall& reduction, CommunicatorState& state, const Shortcut& known);

}  // namespace airamp::pmpi
