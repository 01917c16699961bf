// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest way of a call. Between two calls an application uses up the caches, and what a short call costs then is
// the cache lines of code that it runs through, one after the other, and those of data that it touches. So all of it is
// compiled into one piece, and in this order: what the latest call like it looked at is fetched at once
// (footprints.hpp); the others wait for what this rank says; what is noted is noted, and what the result takes is
// fetched, while this rank waits for them (scripts/count-cache-lines). What is native goes from here as well: it is not
// looked up again.
#pragma once

#include <optional>
#include <type_traits>

#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/entry/brief_native_call.hpp"
#include "pmpi/entry/brief_observation.hpp"
#include "pmpi/entry/known_call.hpp"
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

/// Whether natively a rank may leave calls of this type before all have come (is_unsynchronized).
template <class Collective>
inline constexpr bool may_be_left_early =
    std::is_same_v<Collective, RootedGatherCall> || std::is_same_v<Collective, ScanCall>;

/// Comes to the meeting of such a call, which may be closed. `patience`: what it has natively.
inline void arrive_early(HostMeeting& meeting, const Shortcut& known, std::uint64_t detail,
                         const HostMeeting::Patience& patience) {
  if (!known.unsynchronized) return meeting.arrive(known.word, detail);  // it is not, as an order is promised
  const HostMeeting::Patience learned = learned_patience(patience, *known.gated, known.imposed);
  meeting.arrive(known.word, detail, &learned);
}

/// Behind it.
inline void count_early_meeting(const HostMeeting& meeting, const Shortcut& known) {
  if (known.unsynchronized) count_carried_meeting(*known.gated, known.gain_seconds, meeting);
}

/// Carries a call that may be brief as `repeat` would, with `lay_out` before its meeting and `take` behind it, which is
/// false if a rank is gone. Returns the MPI error code for the application. Made for each type of call, with all that
/// it calls.
template <class Collective, class LayOut, class Take>
[[gnu::flatten]] int carry_briefly(const Collective& call, const KnownCall& found, const LayOut& lay_out,
                                   const Take& take) {
  const auto [state, known, footprint] = found;
  HostMeeting& meeting = *known->brief.meeting;
  lay_out();
  if constexpr (may_be_left_early<Collective>) {
    arrive_early(meeting, *known, 0, known->patience);
  } else {
    meeting.arrive(known->word);
  }
  BriefObservation observed(*state, call.function(), *known, known->facts.bytes);
  known->brief.fetch();
  if (!meeting.all_say(known->word)) [[unlikely]] {
    observed.hand_over();
    return run_disagreed(call, *state, *known);
  }
  state->waiting_seconds += meeting.waited_seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  if constexpr (may_be_left_early<Collective>) count_early_meeting(meeting, *known);
  if (!take()) [[unlikely]] {
    observed.hand_over();
    return run_failed(call, *state, *known);
  }
  observed.end();
  footprint->remember(*state, *known, &meeting);
  return MPI_SUCCESS;
}

/// The same, as the call's exchange does it.
template <class Collective>
[[gnu::flatten]] int carry_briefly(const Collective& call, const KnownCall& found) {
  const BriefExchange& brief = found.shortcut->brief;
  const Buffers buffers = call.buffers();
  return carry_briefly(
      call, found, [&] { brief.lay_out(buffers.input, buffers.output); },
      [&] { return brief.take(buffers.input, const_cast<void*>(buffers.output)); });
}

/// The shortest way of a call with these arguments: by its track, by `carry`, which may find that it is to go another
/// way, or as its shortcut says. Returns the MPI error code for the application; nothing if it has neither, or if
/// something is left to be done before: a rank's own affair, for it says and does the same either way.
template <class Collective, class Carry>
std::optional<int> run_shortest(const Collective& call, const std::optional<CallArguments>& arguments,
                                const Carry& carry) {
  if (const std::optional<int> done = run_on_track(call, arguments)) return done;
  const std::optional<KnownCall> found = known_call(call, arguments);
  if (!found) return std::nullopt;
  if (may_be_brief(call, *found->state, *found->shortcut)) {
    if (const std::optional<int> done = carry(*found)) return done;
  }
  if (StartedForms::any_due() || !job().on.load(std::memory_order_acquire)) return std::nullopt;
  return run_by_shortcut(call, *found->state, *found->shortcut);
}

/// The same of any call that is carried as its exchange does it. Made for each type of call.
template <class Collective>
[[gnu::flatten, gnu::noinline]] std::optional<int> run_briefly(const Collective& call) {
  return run_shortest(call, call.arguments(),
                      [&](const KnownCall& found) { return std::optional(carry_briefly(call, found)); });
}

}  // namespace airamp::pmpi
