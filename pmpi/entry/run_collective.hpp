// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The way of a hooked collective to where it is decided what is done with it. The caller is inside a wrapper; what is
// returned is the MPI error code for the application.
#pragma once

#include <cstdint>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/reduce_call.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/entry/brief_native_call.hpp"
#include "pmpi/entry/native_track.hpp"
#include "pmpi/entry/refused_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"

namespace airamp::pmpi {

/// Whether collectives of this kind may be accelerated on `comm`, as far as the job's settings and hosts say.
inline bool may_accelerate(MPI_Comm comm, Kind kind, bool opted_in) {
  const Job& j = job();
  const auto opted_in_elsewhere = [&] {
    return is_for_gpus(kind) && (opted_in || j.gpus || j.communicators_opted_in.load());
  };
  return j.on.load(std::memory_order_acquire) && comm != MPI_COMM_NULL &&
         (is_for_shared_memory(kind) || opted_in_elsewhere()) && j.settings.force != config::Force::native;
}

/// A call that may be accelerated, of so many bytes.
int run_looked_at(const CollectiveCall& call, std::uint64_t bytes);

/// One that has a shortcut.
int run_known(const CollectiveCall& call, CommunicatorState& state, Shortcut& known);

/// One of which the ranks did not all say the same in the agreement that this rank has come to: it is counted, and
/// published as its communicator's flight.
int run_disagreed(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known);

/// The same of one that all agreed on, and whose exchange has ended with an error.
int run_ended(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known, int error);

/// The same of one that a rank's end has broken off.
int run_failed(const CollectiveCall& call, CommunicatorState& state, const Shortcut& known);

/// A reduce that is posted or passes by. `known`: its shortcut, if it has one.
int run_reduce(const ReduceCall& call, std::uint64_t bytes, CommunicatorState& state, Shortcut* known);

/// A reduce to which this rank has gone on as one that is posted, and cannot end as briefly as it thought: not counted
/// yet, or `begun`: counted, and published as its communicator's flight.
int run_reduce_late(const ReduceCall& call, CommunicatorState& state, const Shortcut& known);
int run_begun_reduce_late(const ReduceCall& call, CommunicatorState& state, const Shortcut& known);

/// The same of a broadcast or scatter. `looks`: whether the ranks look for a message.
int run_by_root_late(const CollectiveCall& call, CommunicatorState& state, Shortcut& known, bool looks);
int run_begun_by_root_late(const CollectiveCall& call, CommunicatorState& state, Shortcut& known);

/// A call that has no shortcut. `state`: its communicator's, if it is the latest one's. Made for each type of call, so
/// that the compiler knows what it is: passing a call through costs no more than for a function that is counted only.
template <class Collective>
int run_unknown(const Collective& call, CommunicatorState* state, bool looked_at, std::uint64_t bytes) {
  if (looked_at && state != nullptr && is_alone(*state) && is_published_at_most(*state))
    return run_alone(call, *state, bytes);
  if (looked_at && state != nullptr && stays_native(call, *state, bytes)) {
    telemetry::layout::TrafficRow* row = nullptr;
    return run_native_briefly(call, *state, bytes, row);
  }
  const ObservedCall observed(call, bytes);
  return looked_at ? run_looked_at(call, bytes) : call.run_native();
}

/// Whether a call is more than passed through.
template <class Collective>
bool is_looked_at(const Collective& call) {
  return may_accelerate(call.communicator(), call.kind(), call.opted_in()) && !is_refused(call) &&
         !call.is_refused_alone();
}

/// The shortcut of a call by which it is to go. `state`: its communicator's, if it is the latest one's.
template <class Collective>
Shortcut* usable_shortcut_of(const Collective& call, CommunicatorState* state) {
  Shortcut* const known = state != nullptr ? shortcut_of(*state, call) : nullptr;
  return known != nullptr && job().on.load(std::memory_order_acquire) && !is_refused(call) ? known : nullptr;
}

template <class Collective>
int run_by_shortcut(const Collective& call, CommunicatorState& state, Shortcut& known) {
  if (is_refused_alone(call, state)) {
    const ObservedCall observed(call, known.facts.bytes, state);
    return call.run_native();
  }
  return stays_native(state, known) ? run_native_again(call, state, known, nullptr) : run_known(call, state, known);
}

/// Of calls of which the report shows the bytes that decide.
template <class Collective>
[[gnu::flatten]] int run_collective(const Collective& call) {
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  if (Shortcut* const known = usable_shortcut_of(call, state)) return run_by_shortcut(call, *state, *known);
  return run_unknown(call, state, is_looked_at(call), call.bytes());
}

/// `counted_bytes`: what the report shows of a call that is passed through, whose counts are not looked at then.
template <class Collective>
[[gnu::flatten]] int run_collective(const Collective& call, std::uint64_t counted_bytes) {
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  if (Shortcut* const known = usable_shortcut_of(call, state)) return run_by_shortcut(call, *state, *known);
  const bool looked_at = is_looked_at(call);
  return run_unknown(call, state, looked_at, looked_at ? call.bytes() : counted_bytes);
}

/// A reduce with a shortcut that could not be posted in as few steps as it takes.
inline int run_known_reduce(const ReduceCall& call, CommunicatorState& state, Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  if (!posts_or_passes(call, bytes, state)) return run_by_shortcut(call, state, known);
  if (may_be_shorter_elsewhere(call, bytes, state, &known) || !stays_native(state, known))
    return run_reduce(call, bytes, state, &known);
  ContributionRing* const contributions = state.resources.contributions();
  contributions->pass_by();
  return run_native_again(call, state, known, contributions);
}

/// The same of any reduce.
inline int run_reduce(const ReduceCall& call) {
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  const std::uint64_t bytes = call.bytes();
  // who has looked it up last need not look it up to know
  if (state == nullptr || !posts_or_passes(call, bytes, *state) || !job().on.load(std::memory_order_acquire) ||
      is_refused(call) || call.is_refused_alone()) {
    return run_collective(call);
  }
  if (Shortcut* const known = shortcut_of(*state, call)) return run_known_reduce(call, *state, *known);
  if (may_be_shorter_elsewhere(call, bytes, *state, nullptr) || !stays_native(call, *state, bytes))
    return run_reduce(call, bytes, *state, nullptr);
  state->resources.contributions()->pass_by();
  telemetry::layout::TrafficRow* row = nullptr;
  return run_native_briefly(call, *state, bytes, row);
}

/// Whether calls of so many bytes, as one rank sees them, have a message where their root may post them: those of which
/// all ranks know that they are empty have none.
inline bool have_root_message(Kind kind, std::uint64_t bytes) { return bytes > 0 || has_blocks_of_any_length(kind); }

/// A call where some of its kind are posted by their roots, and this one may be.
int run_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state);

/// One of which that is not known. Made for each type of call.
template <class Collective>
int run_by_root(const Collective& call) {
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  // who has looked it up last need not look it up to know
  if (state != nullptr && state->posted_by_root.any(call.kind()) && job().on.load(std::memory_order_acquire) &&
      !is_refused(call) && !call.is_refused_alone()) {
    const std::uint64_t bytes = call.bytes();
    if (have_root_message(call.kind(), bytes)) return run_by_root(call, bytes, *state);
  }
  return run_collective(call);
}

}  // namespace airamp::pmpi
