// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The shortest ways of calls that are posted, in one piece of code each and in the order of brief_call.hpp, for the
// same reasons: the others wait for what this rank leaves, and nobody for what it notes.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>

#include "base/copy_words.hpp"
#include "pmpi/algorithm/abilities/root_message.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/reduce_call.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/entry/brief_native_call.hpp"
#include "pmpi/entry/brief_observation.hpp"
#include "pmpi/entry/known_call.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether a call that was posted before is posted again without a look at anything else. If not, nothing was left or
/// counted.
inline bool may_be_posted_briefly(const CommunicatorState& state, const Shortcut& known) noexcept {
  const Job& j = job();
  return known.posted_checked_at == state.looked_at && is_still_carried(known) && !is_timed(*known.signature) &&
         j.on.load(std::memory_order_acquire) && j.wanted.load(std::memory_order_relaxed) &&
         is_published_at_most(state);
}

/// Carries a reduce as `repeat` would, or if it is not one that is posted as its shortcut says. Returns the MPI error
/// code for the application, or nothing if it is to go another way: a rank's own affair.
[[gnu::flatten]] inline std::optional<int> run_reduce_briefly(const ReduceCall& call) {
  const std::optional<CallArguments> arguments = call.arguments();
  if (const std::optional<int> done = run_on_track(call, arguments)) return done;
  const std::optional<KnownCall> found = known_call(call, arguments);
  if (!found) return std::nullopt;
  const auto [state, known, footprint] = *found;
  if (known->post.contributions == nullptr || state->posts_no_reductions) {
    if (!job().on.load(std::memory_order_acquire) || call.is_refused_alone()) return std::nullopt;
    return run_known_reduce(call, *state, *known);
  }
  const BriefPost& post = known->post;
  const bool is_root = state->rank == call.root();
  const bool is_short = post.bytes <= max_short_bytes && post.bytes % 4 == 0;
  if (post.reduce == nullptr || !may_be_posted_briefly(*state, *known)) return std::nullopt;

  ContributionRing& ring = *post.contributions;
  ring.next(call.root());
  if (!ring.has_room()) [[unlikely]]
    return run_reduce_late(call, *state, *known);
  if (is_short) {
    base::copy_words(ring.own(), call.input(), post.bytes);
  } else {
    std::memcpy(ring.own(), call.input(), post.bytes);
  }
  if (!is_root) ring.leave(post.bytes);
  BriefObservation observed(*state, call.function(), *known, known->post.bytes);
  if (is_root) {
    if (!ring.all_come_soon(post.bytes)) [[unlikely]] {
      observed.hand_over();
      return run_begun_reduce_late(call, *state, *known);
    }
    auto* const result = static_cast<std::byte*>(call.root_output());
    post.reduce(*post.order, ring.contribution(0), ContributionRing::stride, post.elements, result);
    ring.done();
  }
  observed.end();
  footprint->remember(*state, *known, &ring);
  return MPI_SUCCESS;
}

/// Whether a root may leave a call that is not posted as far as its shortcut says.
template <class Collective>
bool may_be_left(const Collective& call, CommunicatorState& state, const Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  return bytes <= BroadcastRing::max_bytes && state.posted_by_root.of(call.kind())->of(bytes).signature != nullptr;
}

/// The same of an MPI_Scatterv, of which the shortcut knows no length.
inline bool may_be_left(const ScattervCall& call, CommunicatorState& state, const Shortcut& /*known*/) {
  const MPI_Datatype type = call.only_type(true);
  const DatatypeInfo info = type != MPI_DATATYPE_NULL ? datatype_info(type) : DatatypeInfo{};
  if (!info.predefined || !info.packed) return true;
  const std::optional<std::size_t> bytes = call.bytes_to_others(state.size, info.size, BroadcastRing::max_bytes);
  return bytes && state.posted_by_root.of(Kind::scatterv)->of(*bytes).signature != nullptr;
}

/// A call that is not posted as far as this rank knows: where some of its kind are, what its root says, and then as any
/// other that has a shortcut. Returns as `run_reduce_briefly`.
template <class Collective>
std::optional<int> run_unposted_briefly(const Collective& call, CommunicatorState& state, Shortcut& known) {
  const std::uint64_t bytes = known.facts.bytes;
  const bool is_root = state.rank == call.root();
  if (!job().on.load(std::memory_order_acquire)) return std::nullopt;
  if (!state.posted_by_root.any(call.kind()) || !have_root_message(call.kind(), bytes))
    return run_by_shortcut(call, state, known);
  if (has_no_such_root(call, state) || call.is_refused_alone()) return std::nullopt;
  if (is_root && may_be_left(call, state, known)) return std::nullopt;
  BroadcastRing& ring = *state.resources.broadcasts();
  if (ring.next()) {
    if (is_root ? !ring.has_room() : !ring.nothing_comes_soon()) return run_by_root_late(call, state, known, true);
    if (is_root) ring.leave(nullptr, 0);
  }
  // without a track: what its root says is to be looked at each time
  return stays_native(state, known) ? run_native_briefly(call, state, bytes, known.native_row)
                                    : run_by_root_late(call, state, known, false);
}

/// The same of a call whose root says what is done. Made for each type of call.
template <class Collective>
[[gnu::flatten]] std::optional<int> run_by_root_briefly(const Collective& call) {
  const std::optional<CallArguments> arguments = call.arguments();
  if (const std::optional<int> done = run_on_track(call, arguments)) return done;
  const std::optional<KnownCall> found = known_call(call, arguments);
  if (!found) return std::nullopt;
  const auto [state, known, footprint] = *found;
  if (known->post.broadcasts == nullptr) return run_unposted_briefly(call, *state, *known);
  if (!may_be_posted_briefly(*state, *known)) return std::nullopt;
  const BriefPost& post = known->post;
  BroadcastRing& ring = *post.broadcasts;
  const bool looks = ring.next();
  if (!looks) [[unlikely]]
    return run_by_root_late(call, *state, *known, looks);
  const Buffers buffers = call.buffers();
  const bool is_root = state->rank == call.root();
  if (is_root) {
    if (!ring.has_room()) [[unlikely]]
      return run_by_root_late(call, *state, *known, looks);
    ring.leave(buffers.input, post.bytes);
  }
  BriefObservation observed(*state, call.function(), *known, post.own.bytes);
  void* const output = const_cast<void*>(buffers.output);
  if (is_root) {
    if (post.puts_own)
      std::memcpy(output, static_cast<const std::byte*>(buffers.input) + post.own.begin, post.own.bytes);
  } else if (!ring.take_soon(output, post.own, post.bytes)) [[unlikely]] {
    observed.hand_over();
    return run_begun_by_root_late(call, *state, *known);
  }
  observed.end();
  footprint->remember(*state, *known, &ring);
  return MPI_SUCCESS;
}

/// The same of an MPI_Scatterv, whose blocks have other lengths in each call.
[[gnu::flatten]] inline std::optional<int> run_by_root_briefly(const ScattervCall& call) {
  const std::optional<CallArguments> arguments = call.arguments();
  if (const std::optional<int> done = run_on_track(call, arguments)) return done;
  const std::optional<KnownCall> found = known_call(call, arguments);
  if (!found) return std::nullopt;
  const auto [state, known, footprint] = *found;
  if (known->post.broadcasts == nullptr) return run_unposted_briefly(call, *state, *known);
  if (!may_be_posted_briefly(*state, *known)) return std::nullopt;
  const BriefPost& post = known->post;
  const bool is_root = state->rank == call.root();
  if (call.only_type(is_root) != post.type) return std::nullopt;
  std::size_t message_bytes = BeginsOfBlocks::bytes(state->size);
  if (is_root) {
    const std::size_t room = BroadcastRing::max_bytes - message_bytes;
    const std::optional<std::size_t> bytes = call.bytes_to_others(state->size, post.element_bytes, room);
    if (!bytes || size_bucket(*bytes) != post.bucket) return std::nullopt;
    message_bytes += *bytes;
  }

  BroadcastRing& ring = *post.broadcasts;
  const bool looks = ring.next();
  if (!looks || (is_root && !ring.has_room())) [[unlikely]]
    return run_by_root_late(call, *state, *known, looks);
  const auto block_of = [&](int rank) { return call.block_of(rank, post.element_bytes); };
  if (is_root) {
    MessageRoom message;
    write_blocks(message.data(), state->size, state->rank, block_of);
    ring.leave(message.data(), message_bytes);
  }
  BriefObservation observed(*state, call.function(), *known, 0);
  const GatherBlock to = call.own_block(post.element_bytes);
  if (is_root) {
    if (to.elements > 0) std::memcpy(to.output, block_of(state->rank).input, to.elements);
  } else {
    const BroadcastRing::Message message = ring.come_soon();
    const bool is_alike =
        message.bytes > 0 && size_bucket(call_bytes(Kind::scatterv, message.bytes, state->size)) == post.bucket;
    const BroadcastRing::Part part =
        is_alike ? part_of(Kind::scatterv, message, state->rank, state->size) : BroadcastRing::Part{};
    if (!is_alike || part.bytes > to.elements) [[unlikely]] {
      observed.hand_over();
      return run_begun_by_root_late(call, *state, *known);
    }
    if (part.bytes > 0) std::memcpy(to.output, message.data + part.begin, part.bytes);
    ring.taken();
  }
  observed.end();
  footprint->remember(*state, *known, &ring);
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
