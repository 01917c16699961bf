// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_by_root.hpp"

#include <cstddef>
#include <cstdint>
#include <new>

#include "pmpi/algorithm/abilities/root_message.hpp"
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

/// Elements in this rank's memory.
struct Elements {
  void* at = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type{};
};

/// Where this rank puts its own part of a message; nothing if it has that already.
std::optional<Elements> own_elements(const CollectiveCall& call, bool is_root) {
  const CallArguments arguments = *call.arguments();
  const bool scatters = call.kind() == Kind::scatter;
  if (is_root && (!scatters || arguments.in_place)) return std::nullopt;
  return Elements{.at = const_cast<void*>(call.buffers().output),
                  .count = scatters ? arguments.sendcount : arguments.count,
                  .type = scatters ? arguments.sendtype : arguments.type};
}

/// Whether what this rank leaves, or puts, lies as it is sent. At a root nothing is asked of its own part.
bool is_packed(const CollectiveCall& call, bool is_root) {
  return datatype_info(is_root ? call.arguments()->type : own_elements(call, false)->type).packed;
}

/// The signature of the calls that a root is to post, if this one of its calls is.
SignatureState* posted_signature(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  if (bytes > BroadcastRing::max_bytes || !job().wanted.load(std::memory_order_relaxed)) return nullptr;
  const PostedSignature& posted = state.posted_by_root(call.kind())->of(bytes);
  if (posted.signature == nullptr || ready_candidate(*posted.signature) != posted.candidate) return nullptr;
  return is_packed(call, call.root() == state.rank) ? posted.signature : nullptr;
}

/// Returns an MPI error code; nobody has raised MPI_ERR_TRUNCATE and MPI_ERR_NO_MEM.
int put_own_part(const BroadcastRing::Message& message, const CollectiveCall& call, const CommunicatorState& state) {
  const std::optional<Elements> to = own_elements(call, call.root() == state.rank);
  if (!to) return MPI_SUCCESS;
  const BroadcastRing::Part own = own_part(call.kind(), message.bytes, state.rank, state.size);
  try {
    return unpack(message.data + own.begin, own.bytes, to->at, to->count, to->type, state.comm);
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

/// Of a call of so many bytes of which this rank has done its part. Returns the MPI error code for the application.
int end(const PostedCall& posted, std::uint64_t bytes, int error, const CommunicatorState& state) {
  posted.count(bytes);  // before an error handler hears of it, which may leave by an exception
  return error == MPI_ERR_TRUNCATE || error == MPI_ERR_NO_MEM ? raise_own(state, error) : error;
}

std::optional<int> leave(const CollectiveCall& call, std::uint64_t bytes, BroadcastRing& ring,
                         CommunicatorState& state) {
  if (!ring.has_room() && !ring.wait_for_room(patience_seconds(state, bytes))) {
    ring.leave_none();
    return std::nullopt;
  }
  SignatureState* const signature = posted_signature(call, bytes, state);
  if (signature == nullptr) {
    ring.leave(nullptr, 0);
    return std::nullopt;
  }
  mark_exchange(state, AlgorithmId::shared_memory);
  const PostedCall posted(*signature);
  const BroadcastRing::Message message{.data = static_cast<const std::byte*>(call.buffers().input),
                                       .bytes = message_bytes(call.kind(), bytes, state.size)};
  ring.leave(message.data, message.bytes);
  const int error = put_own_part(message, call, state);
  return end(posted, bytes, error, state);
}

/// Whether this rank wants its part put where only the root may. MPICH would write to that address, and Open MPI says
/// MPI_ERR_ARG.
bool is_misplaced(const CollectiveCall& call) { return call.kind() == Kind::scatter && call.arguments()->in_place; }

std::optional<int> take(const CollectiveCall& call, BroadcastRing& ring, CommunicatorState& state) {
  mark_exchange(state, AlgorithmId::shared_memory);
  const BroadcastRing::Message message = ring.take(call.root());
  if (message.data == nullptr) return raise_failure(state.resources.host.made->meeting(), state.comm);
  if (message.bytes == 0) {
    ring.taken();
    mark_native(state);
    return std::nullopt;
  }
  if (is_misplaced(call)) {
    ring.taken();
    return raise_own(state, MPI_ERR_ARG);
  }
  const std::uint64_t bytes = own_part(call.kind(), message.bytes, state.rank, state.size).bytes;
  const PostedCall posted(*state.posted_by_root(call.kind())->of(bytes).signature);
  const int error = put_own_part(message, call, state);
  ring.taken();
  return end(posted, bytes, error, state);
}

/// How calls like this one of so many bytes go in as few steps as it takes; nothing if this rank's own part does not
/// come to lie as it is sent.
BriefPost brief_post(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const std::size_t message = message_bytes(call.kind(), bytes, state.size);
  const BroadcastRing::Part own = own_part(call.kind(), message, state.rank, state.size);
  const std::optional<Elements> to = own_elements(call, call.root() == state.rank);
  const bool as_it_is = !to || (datatype_info(to->type).packed && payload_bytes(to->count, to->type) == own.bytes);
  if (!as_it_is) return {};
  return {.broadcasts = state.resources.broadcasts(), .bytes = message, .own = own, .puts_own = to.has_value()};
}

/// Has the next call that is as this one, which was posted, go by its shortcut.
void remember(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  if (state.shortcuts != nullptr) {
    const CallArguments arguments = *call.arguments();
    const Shortcut* const known = state.shortcuts->find(arguments);
    if (known != nullptr && known->post.broadcasts != nullptr && known->posted_checked_at == state.looked_at) return;
    if (!state.shortcuts->may_replace(arguments)) return;
  }
  SignatureState* const signature = posted_signature(call, bytes, state);
  if (signature == nullptr) return;
  Shortcut* const known = remember_posted(call, facts_of_posted(call, bytes), state, *signature,
                                          state.posted_by_root(call.kind())->of(bytes).candidate);
  if (known == nullptr) return;
  known->post = brief_post(call, bytes, state);
  known->posted_checked_at = state.looked_at;
}

}  // namespace

std::optional<int> run_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  const int root = call.root();
  if (root < 0 || root >= state.size) return std::nullopt;  // of no such root the MPI library tells
  if (!state.resources.broadcasts()->next()) return std::nullopt;
  return end_posted_by_root(call, bytes, state);
}

std::optional<int> end_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state) {
  BroadcastRing& ring = *state.resources.broadcasts();
  const bool is_root = call.root() == state.rank;
  const std::optional<int> done = is_root ? leave(call, bytes, ring, state) : take(call, ring, state);
  if (done == MPI_SUCCESS) remember(call, bytes, state);
  return done;
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
