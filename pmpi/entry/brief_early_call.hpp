// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest ways of calls from which natively a rank may return before all have come: gathers, scans, and exchanges
// of blocks of any length. As in brief_call.hpp, but that the ranks' meeting may be closed, and that what is native
// goes from here as well.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>

#include "pmpi/call/exchanges/exchange_call.hpp"
#include "pmpi/call/exchanges/plain_blocks.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/entry/brief_call.hpp"

namespace airamp::pmpi {

/// How long a rank waits in an exchange for others that natively would not wait for them.
inline HostMeeting::Patience patience_in(const PlainStream& own, const CommunicatorState& state,
                                         const Shortcut& known) {
  if (known.arguments.kind == Kind::gatherv) return known.patience;  // of the longest block
  return {.seconds = own.gets_from_all ? std::numeric_limits<double>::infinity() : patience_seconds(state, own.bytes)};
}

/// Carries an exchange whose blocks can be copied as they lie. Returns the MPI error code for the application, or
/// nothing if it is to go another way: a rank's own affair, for it says and does the same either way.
template <class Exchange>
[[gnu::flatten]] std::optional<int> carry_exchange_briefly(const Exchange& call, const KnownCall& found) {
  const auto [state, known, footprint] = found;
  auto& blocks = *static_cast<PlainBlocks*>(known->brief.algorithm);
  const std::optional<PlainStream> own = call.plain_stream(state->rank, state->size, blocks);
  if (!own) return std::nullopt;

  HostMeeting& meeting = *known->brief.meeting;
  StagedExchange& exchange = *known->exchange;
  CollectiveData data = blocks.lend(known->arguments.root);
  exchange.stage(data);
  arrive_early(meeting, *known, own->bytes, patience_in(*own, *state, *known));
  BriefObservation observed(*state, call.function(), *known, 0);
  if (!meeting.all_say(known->word) || !is_as_long(meeting, *known)) [[unlikely]] {
    blocks.take_back(data);
    observed.hand_over();
    return run_disagreed(call, *state, *known);
  }
  state->waiting_seconds += meeting.waited_seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  count_early_meeting(meeting, *known);
  const int error = exchange.finish(data);
  blocks.take_back(data);
  if (error != MPI_SUCCESS) [[unlikely]] {
    observed.hand_over();
    return run_ended(call, *state, *known, error);
  }
  observed.end();
  footprint->remember(*state, *known, &meeting);
  return MPI_SUCCESS;
}

/// Any call of these, the shortest way that there is for it. Made for each type of call.
template <class Collective>
[[gnu::flatten]] int run_early_call(const Collective& call) {
  const std::optional<int> done = run_shortest(call, call.arguments(), [&](const KnownCall& found) {
    if constexpr (std::is_base_of_v<ExchangeCall, Collective>) {
      return carry_exchange_briefly(call, found);
    } else {
      return std::optional(carry_briefly(call, found));
    }
  });
  return done ? *done : run_collective(call);
}

}  // namespace airamp::pmpi
