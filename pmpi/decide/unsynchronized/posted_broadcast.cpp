// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/posted_broadcast.hpp"

#include <new>

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

/// The signature of the calls that a root is to post, if this one of its calls is.
SignatureState* posted_signature(const CollectiveCall& broadcast, std::uint64_t bytes, CommunicatorState& state) {
  if (bytes > BroadcastRing::max_bytes || !job().wanted.load(std::memory_order_relaxed)) return nullptr;
  const PostedSignature& posted = state.posted.of(bytes);
  if (posted.signature == nullptr || ready_candidate(*posted.signature) != posted.candidate) return nullptr;
  return datatype_info(broadcast.arguments()->type).packed ? posted.signature : nullptr;
}

std::optional<int> leave(const CollectiveCall& broadcast, std::uint64_t bytes, BroadcastRing& ring,
                         CommunicatorState& state) {
  if (!ring.has_room() && !ring.wait_for_room(patience_seconds(state, bytes))) {
    ring.leave_none();
    return std::nullopt;
  }
  SignatureState* const signature = posted_signature(broadcast, bytes, state);
  if (signature == nullptr) {
    ring.leave(nullptr, 0);
    return std::nullopt;
  }
  mark_exchange(state, AlgorithmId::shared_memory);
  const PostedCall posted(*signature);
  ring.leave(broadcast.buffers().input, bytes);
  posted.count(bytes);
  return MPI_SUCCESS;
}

/// Returns an MPI error code; nobody has raised MPI_ERR_TRUNCATE and MPI_ERR_NO_MEM.
int put(const BroadcastRing::Message& message, const CollectiveCall& broadcast, CommunicatorState& state) {
  const CallArguments arguments = *broadcast.arguments();
  void* const buffer = const_cast<void*>(broadcast.buffers().output);
  try {
    return unpack(message.data, message.bytes, buffer, arguments.count, arguments.type, state.comm);
  } catch (const std::bad_alloc&) {
    return MPI_ERR_NO_MEM;
  }
}

std::optional<int> take(const CollectiveCall& broadcast, BroadcastRing& ring, CommunicatorState& state) {
  mark_exchange(state, AlgorithmId::shared_memory);
  const BroadcastRing::Message message = ring.take(broadcast.root());
  if (message.data == nullptr) return raise_failure(state.resources.host.made->meeting(), state.comm);
  if (message.bytes == 0) {
    ring.taken();
    mark_native(state);
    return std::nullopt;
  }
  const PostedCall posted(*state.posted.of(message.bytes).signature);
  const int error = put(message, broadcast, state);
  ring.taken();
  posted.count(message.bytes);  // before an error handler hears of it, which may leave by an exception
  return error == MPI_ERR_TRUNCATE || error == MPI_ERR_NO_MEM ? raise_own(state, error) : error;
}

/// Has the next call that is as this one, which was posted, go by its shortcut.
void remember(const CollectiveCall& broadcast, std::uint64_t bytes, CommunicatorState& state) {
  if (state.shortcuts != nullptr) {
    const CallArguments arguments = *broadcast.arguments();
    const Shortcut* const known = state.shortcuts->find(arguments);
    if (known != nullptr && known->post.broadcasts != nullptr && known->posted_checked_at == state.looked_at) return;
    if (!state.shortcuts->may_replace(arguments)) return;
  }
  SignatureState* const signature = posted_signature(broadcast, bytes, state);
  if (signature == nullptr) return;
  Shortcut* const known = remember_posted(broadcast, facts_of_posted(broadcast, bytes), state, *signature,
                                          state.posted.of(bytes).candidate);
  if (known == nullptr) return;
  known->post = {.broadcasts = state.resources.broadcasts(), .bytes = bytes};
  known->posted_checked_at = state.looked_at;
}

}  // namespace

std::optional<int> run_posted(const CollectiveCall& broadcast, std::uint64_t bytes, CommunicatorState& state) {
  const int root = broadcast.root();
  if (root < 0 || root >= state.size) return std::nullopt;  // of no such root the MPI library tells
  if (!state.resources.broadcasts()->next()) return std::nullopt;
  const std::optional<int> done = end_posted_broadcast(broadcast, bytes, state);
  if (done == MPI_SUCCESS) remember(broadcast, bytes, state);
  return done;
}

std::optional<int> end_posted_broadcast(const CollectiveCall& broadcast, std::uint64_t bytes,
                                        CommunicatorState& state) {
  BroadcastRing& ring = *state.resources.broadcasts();
  return broadcast.root() == state.rank ? leave(broadcast, bytes, ring, state) : take(broadcast, ring, state);
}

int look_for_nothing(const CollectiveCall& broadcast, CommunicatorState& state) {
  BroadcastRing& ring = *state.resources.broadcasts();
  if (broadcast.root() == state.rank) {
    ring.leave_for_all(nullptr, 0);
    return MPI_SUCCESS;
  }
  if (ring.take_with_all(broadcast.root()).data == nullptr) {
    return raise_failure(state.resources.host.made->meeting(), state.comm);
  }
  ring.taken();
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
