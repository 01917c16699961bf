// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_by_root.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

#include "pmpi/algorithm/abilities/root_message.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/unsynchronized/posted_call.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/datatype_unpack.hpp"

namespace airamp::pmpi {
namespace {

/// The signature of the calls of so many bytes that the ranks have agreed on posting, if this one of its calls may be;
/// though they may be about to look at that again.
SignatureState* signature_chosen_to_post(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  if (!fits_root_message(call.kind(), bytes, state.size) || !job().wanted.load(std::memory_order_relaxed))
    return nullptr;
  const PostedSignature& posted = state.posted_by_root.of(call.kind())->of(bytes);
  const bool is_chosen = posted.signature != nullptr && chosen_candidate(*posted.signature) == posted.candidate;
  return is_chosen ? posted.signature : nullptr;
}

/// The same if a root is to post this one. `bytes`: of the call.
SignatureState* posted_signature(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  SignatureState* const chosen = signature_chosen_to_post(call, bytes, state);
  return chosen != nullptr && ready_candidate(*chosen) ? chosen : nullptr;
}

/// The same of a root whose call is not, as the decision is to be looked at again, while nobody is asked: what was
/// found to be faster is posted meanwhile. But for one call in 16, which the others count as one that was not asked
/// about.
SignatureState* signature_posted_meanwhile(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  constexpr std::uint64_t calls_between = 16;
  SignatureState* const chosen = signature_chosen_to_post(call, bytes, state);
  GatedCalls* const gated = chosen != nullptr ? find_gated_calls(state, gate_key_of(call, bytes)) : nullptr;
  const bool is_nobody_asked = gated != nullptr && (gated->gate.is_paused() || is_meeting_shut(state));
  return is_nobody_asked && ++gated->posted_meanwhile % calls_between != 0 ? chosen : nullptr;
}

/// Returns an MPI error code; nobody has raised MPI_ERR_TRUNCATE and MPI_ERR_NO_MEM.
int put(const std::byte* from, std::size_t bytes, const Elements& to, const CommunicatorState& state) {
  try {
    return unpack(from, bytes, to.at, to.count, to.type, state.comm);
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

/// How calls like this one of so many bytes go in as few steps as it takes; nothing if this rank's own part does not
/// come to lie as it is sent.
BriefPost brief_post(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const std::size_t message = message_bytes(call.kind(), bytes, state.size);
  const BroadcastRing::Part own = part_of(call.kind(), {.data = nullptr, .bytes = message}, state.rank, state.size);
  const std::optional<Elements> to = call.received_from_root();
  const bool as_it_is = !to || (datatype_info(to->type).packed && payload_bytes(to->count, to->type) == own.bytes);
  if (!as_it_is) return {};
  return {.broadcasts = state.resources.broadcasts(), .bytes = message, .own = own, .puts_own = to.has_value()};
}

/// The same of MPI_Scatterv, where every call has blocks of its own lengths, in `bytes` bytes to others. Of predefined
/// types alone: what a handle of another one means may change.
BriefPost brief_post(const ScattervCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const MPI_Datatype type = call.only_type(call.root() == state.rank);
  if (type == MPI_DATATYPE_NULL) return {};
  const DatatypeInfo info = datatype_info(type);
  if (!info.predefined || !info.packed) return {};
  return {.broadcasts = state.resources.broadcasts(),
          .type = type,
          .element_bytes = info.size,
          .bucket = size_bucket(bytes)};
}

/// Has the next call that is as this one, which was posted, go by its shortcut.
void remember(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const bool has_any_length = has_blocks_of_any_length(call.kind());
  if (state.shortcuts != nullptr) {
    const CallArguments arguments = *call.arguments();
    const Shortcut* const known = state.shortcuts->find(arguments);
    if (known != nullptr && known->post.broadcasts != nullptr && known->posted_checked_at == state.looked_at &&
        (!has_any_length || known->post.bucket == size_bucket(bytes))) {
      return;
    }
    if (!state.shortcuts->may_replace(arguments)) return;
  }
  SignatureState* const signature = posted_signature(call, bytes, state);
  if (signature == nullptr) return;
  const BriefPost post = has_any_length ? brief_post(static_cast<const ScattervCall&>(call), bytes, state)
                                        : brief_post(call, bytes, state);
  if (has_any_length && post.broadcasts == nullptr) return;
  Shortcut* const known = remember_posted(call, facts_of_posted(call, bytes), state, *signature,
                                          state.posted_by_root.of(call.kind())->of(bytes).candidate);
  if (known == nullptr) return;
  known->post = post;
  known->posted_checked_at = state.looked_at;
}

/// How many bytes decide on a call whose root can leave what it gives as it is sent; nothing if it cannot. Nor of
/// an MPI_Scatterv whose root has more room or less than its own block, which Open MPI 4 does not mind.
std::optional<std::uint64_t> bytes_to_leave(const CollectiveCall& call, std::uint64_t bytes) {
  if (!has_blocks_of_any_length(call.kind())) return bytes;
  const LocalFacts facts = call.facts({.no_compression = Reason::none, .lossless = true});
  return facts.lossless ? std::optional(facts.bytes) : std::nullopt;
}

/// Of a call of so many bytes of which this rank has done its part. Returns the MPI error code for the application.
int end(const CollectiveCall& call, std::uint64_t bytes, const PostedCall& posted, int error,
        CommunicatorState& state) {
  // before an error handler hears of it, which may leave by an exception
  posted.count(has_blocks_of_any_length(call.kind()) ? 0 : bytes);
  if (error == MPI_SUCCESS) remember(call, bytes, state);
  return error == MPI_ERR_TRUNCATE || error == MPI_ERR_NO_MEM ? raise_own(state, error) : error;
}

/// Says to the others that this rank's call, of which they may not be told, is not posted.
std::optional<int> leave_nothing(BroadcastRing& ring) {
  ring.leave(nullptr, 0);
  return std::nullopt;
}

std::optional<int> leave(const CollectiveCall& call, std::uint64_t bytes_seen, BroadcastRing& ring,
                         CommunicatorState& state) {
  if (!ring.has_room() && !ring.wait_for_room(patience_seconds(state, bytes_seen))) {
    ring.leave_none();
    return std::nullopt;
  }
  const std::optional<std::uint64_t> bytes = bytes_to_leave(call, bytes_seen);
  SignatureState* signature = bytes ? posted_signature(call, *bytes, state) : nullptr;
  if (bytes && signature == nullptr) signature = signature_posted_meanwhile(call, *bytes, state);
  if (signature == nullptr) return leave_nothing(ring);
  CollectiveData data;
  try {
    data = call.data({});
  } catch (const std::bad_alloc&) {
    return leave_nothing(ring);
  }
  if (!is_well_packed(data)) return leave_nothing(ring);
  const std::optional<Elements> to = call.received_from_root();
  const SentBlock own = to ? own_block(call.kind(), data) : SentBlock{};
  mark_exchange(state, AlgorithmId::shared_memory);
  const PostedCall posted(*signature);
  MessageRoom room;
  const BroadcastRing::Message message = root_message(call.kind(), data, *bytes, state.size, room);
  ring.leave(message.data, message.bytes);
  const int error = to ? put(own.input, own.elements, *to, state) : MPI_SUCCESS;
  return end(call, *bytes, posted, error, state);
}

/// Whether this rank wants its part put where only the root may. MPICH would write to that address, and Open MPI says
/// MPI_ERR_ARG.
bool is_misplaced(const Elements& part) { return part.at == MPI_IN_PLACE; }

/// Whether the MPI library refuses what a rank says of its own part.
bool is_refused(const Elements& part) { return part.count < 0 || part.type == MPI_DATATYPE_NULL; }

std::optional<int> take(const CollectiveCall& call, std::uint64_t bytes_seen, BroadcastRing& ring,
                        CommunicatorState& state) {
  mark_exchange(state, AlgorithmId::shared_memory);
  const BroadcastRing::Message message = ring.take(call.root());
  if (message.data == nullptr) return raise_failure(state.resources.host.made->meeting(), state.comm);
  const Elements to = *call.received_from_root();
  if (message.bytes == 0 || is_refused(to)) {
    ring.taken();
    mark_native(state);
    return std::nullopt;
  }
  if (is_misplaced(to)) {
    ring.taken();
    return raise_own(state, MPI_ERR_ARG);
  }
  const std::uint64_t bytes = call_bytes(call.kind(), message.bytes, state.size);
  const PostedCall posted(*state.posted_by_root.of(call.kind())->of(bytes).signature);
  const BroadcastRing::Part part = part_of(call.kind(), message, state.rank, state.size);
  const int error = put(message.data + part.begin, part.bytes, to, state);
  ring.taken();
  return end(call, has_blocks_of_any_length(call.kind()) ? bytes : bytes_seen, posted, error, state);
}

}  // namespace

std::optional<int> run_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  if (has_no_such_root(call, state)) return std::nullopt;
  if (!state.resources.broadcasts()->next()) return std::nullopt;
  return end_posted_by_root(call, bytes, state);
}

std::optional<int> end_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  BroadcastRing& ring = *state.resources.broadcasts();
  return call.root() == state.rank ? leave(call, bytes, ring, state) : take(call, bytes, ring, state);
}

int look_for_nothing(const CollectiveCall& call, CommunicatorState& state) {
  BroadcastRing& ring = *state.resources.broadcasts();
  if (call.root() == state.rank) {
    ring.leave_for_all(nullptr, 0);
    return MPI_SUCCESS;
  }
  if (ring.take_with_all(call.root()).data == nullptr) {
    return raise_failure(state.resources.host.made->meeting(), state.comm);
  }
  ring.taken();
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
