// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest ways of calls that have a count for every rank, which all ranks give alike: MPI_Allgatherv and
// MPI_Reduce_scatter. As in brief_call.hpp; what is native goes from here as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

#include "pmpi/algorithm/shared_memory/movements/take_blocks.hpp"
#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/call/reductions/reduce_scatter_call.hpp"
#include "pmpi/entry/brief_call.hpp"

namespace airamp::pmpi {

/// Nothing also if no call of the communicator is known: of others it is not known how many counts they have, which
/// between groups are as many as the other group has ranks.
template <class Collective>
std::optional<CallArguments> counted_arguments(const Collective& call) {
  const CommunicatorState* const state = latest_communicator_state(call.communicator());
  if (state == nullptr || !has_shortcuts(*state) || !job().on.load(std::memory_order_acquire)) return std::nullopt;
  return call.arguments_among(state->size, state->rank);
}

/// Carries a call that may be brief, whose blocks can be copied as they lie. Returns the MPI error code for the
/// application, or nothing if it is to go another way: a rank's own affair, for it says and does the same either way,
/// but where a block is longer than a chunk, which all ranks see.
template <class Count, class Displacement>
[[gnu::flatten]] std::optional<int> carry_counted_briefly(const AllgathervCall<Count, Displacement>& call,
                                                          const KnownCall& found) {
  const CommunicatorState& state = *found.state;
  const BriefExchange& brief = found.shortcut->brief;
  const HostGroup& group = *brief.group;
  const std::size_t element = call.plain_element();
  if (element == 0 || call.longest_block(state.size) > group.chunk_bytes() / element) return std::nullopt;
  const auto lay_out = [&] {
    const GatherBlock own = call.plain_block(state.rank, element);
    const std::size_t bytes = own.elements;
    if (bytes == 0) return;
    std::byte* const place = group.short_contribution(state.rank, brief.meeting->meetings() + 1, bytes);
    std::memcpy(place, brief.in_place ? own.output : call.buffers().input, bytes);
  };
  const auto take = [&] {
    take_blocks(group, brief.meeting->meetings(), !brief.in_place,
                [&](int rank) { return call.plain_block(rank, element); });
    return true;
  };
  return carry_briefly(call, found, lay_out, take);
}

/// The same, where all blocks have one length.
[[gnu::flatten]] inline std::optional<int> carry_counted_briefly(const ReduceScatterCall& call,
                                                                 const KnownCall& found) {
  return call.is_even(found.state->size) ? std::optional(carry_briefly(call, found)) : std::nullopt;
}

/// Any call of these, the shortest way that there is for it. `counted_bytes`: what the report shows of one that is
/// passed through. Made for each type of call.
template <class Collective>
[[gnu::flatten]] int run_counted_call(const Collective& call, std::uint64_t counted_bytes) {
  const std::optional<int> done = run_shortest(
      call, counted_arguments(call), [&](const KnownCall& found) { return carry_counted_briefly(call, found); });
  return done ? *done : run_collective(call, counted_bytes);
}

}  // namespace airamp::pmpi
