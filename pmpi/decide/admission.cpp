// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/admission.hpp"

#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/device/chunking_rule.hpp"
#include "pmpi/group/levels/host_grid.hpp"
#include "pmpi/group/levels/two_level_group.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/compression_obstacle.hpp"

namespace airamp::pmpi {
namespace {

/// The state of a communicator, unless all ranks are freeing it.
Result<CommunicatorState*> state_of(MPI_Comm comm) {
  CommunicatorState* const state = communicator_state(comm);
  if (state != nullptr || BeingFreed::includes(comm)) return state;
  // this rank could not stay in step with the others
  native().Comm_call_errhandler(comm, MPI_ERR_NO_MEM);
  return MpiError{MPI_ERR_NO_MEM};
}

/// Communicators of fewer calls than this would not earn the memory that their ranks share.
constexpr std::uint64_t calls_before_sharing = 32;

/// Whether a call that shared memory can carry is to go through it whatever that costs.
bool shares_at_any_price(const CommunicatorState& state, Kind kind) {
  return imposed_algorithm(state).has_value() || may_order_be_promised(kind);
}

/// Whether the communicator's ranks, or those of each of its hosts, may share memory.
bool may_share_hosts(const CommunicatorState& state, Kind kind, std::uint64_t bytes) {
  return state.size <= job().max_ranks_on_host || may_use_host_grid(kind, bytes, state.size);
}

/// Whether calls like this one count until their communicator has earned memory that its ranks share.
bool earns_memory(const CommunicatorState& state, Kind kind, std::uint64_t bytes) {
  return may_use_shared_memory(kind, bytes) && !shares_at_any_price(state, kind) && may_share_hosts(state, kind, bytes);
}

/// Whether a call may be worth an agreement on carrying it through shared memory. Once per call.
bool may_share_memory(CommunicatorState& state, Kind kind, std::uint64_t bytes) {
  if (earns_memory(state, kind, bytes)) return ++state.calls_for_shared_memory > calls_before_sharing;
  return may_use_shared_memory(kind, bytes) && shares_at_any_price(state, kind);
}

/// Whether GPU buffers in calls of the kind may be worth an agreement.
bool may_use_gpus(Kind kind, int size) {
  const Job& j = job();
  return j.gpus && is_for_gpus(kind) &&
         (j.settings.enable_ccl || size <= gpu::max_peers || (kind == Kind::allreduce && may_be_two_level(size)));
}

}  // namespace

bool is_still_admitted(const CommunicatorState& state, Kind kind, std::uint64_t bytes) {
  if (earns_memory(state, kind, bytes)) return state.calls_for_shared_memory > calls_before_sharing;
  return may_use_shared_memory(kind, bytes) && shares_at_any_price(state, kind);
}

bool is_counted(const CommunicatorState& state, Kind kind, std::uint64_t bytes) {
  return earns_memory(state, kind, bytes) && state.calls_for_shared_memory <= calls_before_sharing;
}

Result<Admission> admit(const CollectiveCall& call, std::uint64_t bytes) {
  const Job& j = job();
  const bool broadcast = call.kind() == Kind::bcast;  // no rank may rely on its length: equal_bytes()
  if (!j.gpus && !may_use_shared_memory(call.kind(), bytes) && (broadcast || bytes < j.settings.min_bytes))
    return Admission{};
  CommunicatorState* state = latest_communicator_state(call.communicator());
  if (state == nullptr) {
    int size = 0;
    if (native().Comm_size(call.communicator(), &size) != MPI_SUCCESS || size < 2) return Admission{};
    const Result<CommunicatorState*> found = state_of(call.communicator());
    if (!found.ok()) return MpiError{found.error()};
    state = *found;
  }
  if (state == nullptr || state->inter || state->foreign || state->size < 2 ||
      (bytes == 0 && !may_be_empty(call.kind())) || has_no_such_root(call, *state)) {
    return Admission{};
  }
  const bool in_shared_memory = may_share_memory(*state, call.kind(), bytes);
  const Reason no_compression = compression_obstacle({.kind = call.kind(),
                                                      .bytes = bytes,
                                                      .min_bytes = j.settings.min_bytes,
                                                      .ranks = state->size,
                                                      .opted_in = state->policy.compress.value_or(call.opted_in())});
  if (no_compression != Reason::none && !in_shared_memory && !may_use_gpus(call.kind(), state->size)) {
    return Admission{};
  }
  return Admission{.state = state, .no_compression = no_compression};
}

}  // namespace airamp::pmpi
