// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest way of a call that the MPI library carries out, as `repeat` finds while agreements pause. It touches as
// few cache lines as it can, for the same reason as the one in brief_call.hpp.
#pragma once

#include <cstdint>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/posted_reduction.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// Whether nobody wants to know more of a call than what is published of it, and nothing is left of calls before.
inline bool is_published_at_most(const CommunicatorState& state) noexcept {
  return ObservedCall::is_only_published() && (state.introduced || !ObservedCall::is_published()) &&
         state.flight.row == nullptr && !StartedForms::any_due();
}

/// Whether a communicator has no rank but this one: the MPI library carries out all of its calls.
inline bool is_alone(const CommunicatorState& state) noexcept { return state.size == 1 && !state.inter; }

/// Whether a call that has a shortcut, and is not posted by its root, stays native because agreements about such calls
/// pause, or cannot take place. If so it counts as one that was not asked about, and is to be run.
inline bool stays_native(const CommunicatorState& state, const Shortcut& known) noexcept {
  const bool may_be_posted = may_be_posted_reduction(known.arguments.kind, known.facts.bytes, state) &&
                             (known.posted != nullptr || known.posted_checked_at != state.looked_at);
  return known.checked_at != state.looked_at && !may_be_posted && is_published_at_most(state) &&
         (!opens(*known.gated) || (known.unsynchronized && stays_shut(state, *known.gated)));
}

/// The same of a call without a shortcut, as those are whose datatype or operation may be freed before the next.
template <class Collective>
bool stays_native(const Collective& call, CommunicatorState& state, std::uint64_t bytes) noexcept {
  const Kind kind = call.kind();
  if (state.looked_at_by_pola || ghosts_wanted() || state.posted_by_root.any(kind) || !is_published_at_most(state) ||
      !is_still_admitted(state, kind, bytes) || has_no_such_root(call, state)) {
    return false;
  }
  const GateKey key = gate_key_of(call, bytes);
  if (may_be_posted_reduction(kind, bytes, state) && may_be_carried(key.equal_arguments)) return false;
  GatedCalls* const gated = find_gated_calls(state, key);
  return gated != nullptr && !opens(*gated);
}

/// Runs such a call. `row`: as of SegmentWriter::end. Returns the MPI error code for the application. Made for each
/// type of call.
template <class Collective>
int run_native_briefly(const Collective& call, CommunicatorState& state, std::uint64_t bytes,
                       telemetry::layout::TrafficRow*& row) {
  telemetry::SegmentWriter& writer = publisher();
  if (ObservedCall::is_published()) {
    state.flight = writer.begin(state.published, static_cast<std::uint16_t>(call.function()), bytes, writer.now(),
                                native_path, telemetry::Stage::native);
  }
  count_call(call.function(), bytes);
  pass_by(state);
  const int error = call.run_native();
  if (state.flight.row != nullptr) {
    const std::uint64_t left = writer.now();
    state.close_calls.note(is_small_allreduce(call.function(), bytes), state.flight.entered, left);
    writer.end(state.flight, native_path, 0, left, row);
    state.flight.row = nullptr;
  }
  return error;
}

}  // namespace airamp::pmpi
