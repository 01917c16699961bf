// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest way of a call. Between two calls an application uses up the caches, and what a short call costs then is
// the cache lines of code that it runs through, one after the other, and those of data that it touches. So all of it is
// compiled into one piece, and in this order: what the latest call like it looked at is fetched at once
// (footprints.hpp); the others wait for what this rank says; what is noted is noted, and what the result takes is
// fetched, while this rank waits for them (scripts/count-cache-lines).
#pragma once

#include <optional>

#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/entry/brief_native_call.hpp"
#include "pmpi/entry/brief_observation.hpp"
#include "pmpi/entry/footprints.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {

/// Whether a call that was carried in this way before is carried so again without a look at anything else. If not,
/// nothing was said or counted.
inline bool may_be_brief(const CollectiveCall& call, const CommunicatorState& state, const Shortcut& known) noexcept {
  const Job& j = job();
  return known.brief.meeting != nullptr && known.checked_at == state.looked_at && is_still_carried(known) &&
         !is_timed(*known.signature) && !known.brief.meeting->was_closed() && j.on.load(std::memory_order_acquire) &&
         j.wanted.load(std::memory_order_relaxed) && is_published_at_most(state) && !state.posts_no_reductions &&
         (!j.gpus || (lies_on_host(call, state) && !state.resources.has_lost_gpu()));
}

/// Carries a call as `repeat` would. Returns the MPI error code for the application, or nothing if it is to go another
/// way: a rank's own affair, for it says and does the same either way. Made for each type of call, with all that it
/// calls.
template <class Collective>
[[gnu::flatten, gnu::noinline]] std::optional<int> run_briefly(const Collective& call) {
  const std::optional<CallArguments> arguments = call.arguments();
  if (!arguments) return std::nullopt;
  Footprint& footprint = footprints.fetch(call.communicator(), *arguments);
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  if (state == nullptr || is_refused(call)) return std::nullopt;
  Shortcut* const known = shortcut_of(*state, *arguments);
  if (known == nullptr || !may_be_brief(call, *state, *known)) return std::nullopt;

  HostMeeting& meeting = *known->brief.meeting;
  const Buffers buffers = call.buffers();
  known->brief.lay_out(buffers.input, buffers.output);
  meeting.arrive(known->word);
  BriefObservation observed(*state, call.function(), *known, known->facts.bytes);
  known->brief.fetch();
  if (!meeting.all_say(known->word)) [[unlikely]] {
    observed.hand_over();
    return run_disagreed(call, *state, *known);
  }
  state->waiting_seconds += meeting.waited_seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  if (!known->brief.take(buffers.input, const_cast<void*>(buffers.output))) [[unlikely]] {
    observed.hand_over();
    return run_failed(call, *state, *known);
  }
  observed.end();
  footprint.remember(*state, *known, &meeting);
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
