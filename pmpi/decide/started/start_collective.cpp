// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/started/start_collective.hpp"

#include <new>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/job/binary_interface.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {
namespace {

/// Communicators of fewer starts of a form than this would not earn the memory that their ranks share, nor what it
/// costs to find out how they go.
constexpr std::uint64_t starts_before_sharing = 32;

/// As far as the job and the function say. GPUs may hold the buffers.
bool may_be_started(Kind kind) {
  const Job& j = job();
  return j.on.load(std::memory_order_acquire) && !j.gpus && j.settings.enable_shared_memory &&
         j.settings.force != config::Force::native && is_started(kind);
}

/// Of a call that MPI allows; 0 of others, which are the MPI library's errors.
std::uint64_t bytes_of(const StartArguments& arguments) {
  const bool valid = arguments.count > 0 && arguments.recvbuf != nullptr && arguments.sendbuf != nullptr &&
                     arguments.sendbuf != arguments.recvbuf;
  return valid ? payload_bytes(arguments.count, arguments.type) : 0;
}

/// That of a communicator on which starts may be carried; nullptr of others.
CommunicatorState* state_of(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return nullptr;
  CommunicatorState* const state = communicator_state(comm);
  if (state == nullptr) {
    if (BeingFreed::includes(comm)) return nullptr;
    throw std::bad_alloc();  // this rank could not stay in step with the others
  }
  const bool usable = !state->inter && !state->foreign && state->size >= 2 && state->size <= StartRing::max_ranks &&
                      state->size <= job().max_ranks_on_host;
  return usable ? state : nullptr;
}

/// Counts a start, and says when it is to be settled how those like it go.
void count(StartedForm& form, StartedForms& forms) {
  ++form.calls;
  if (SignatureState* const signature = form.signature) {
    signature->tuner.count_calls(1);
    ++signature->calls;
    signature->bytes += form.bytes;
    const bool decided = signature->candidates.is_imposed() || signature->not_acquired() ||
                         signature->tuner.next() == tuner::SignatureTuner::Step::choice;
    if (!decided && form.settled_from == StartedForm::never) form.settled_from = form.calls;
  } else if (form.settled_from == StartedForm::never && form.eligible) {
    form.settled_from = starts_before_sharing + 1;
  }
  if (form.is_due()) forms.set_due(true);
}

/// Where and how a start goes through shared memory, if it is to.
struct Way {
  CommunicatorState* state = nullptr;
  StartedForm* form = nullptr;
};

Way way_of(const StartArguments& arguments) {
  if (!may_be_started(arguments.kind)) return {};
  const std::uint64_t bytes = reduces(arguments.kind) ? bytes_of(arguments) : 0;
  if (bytes > StartRing::max_bytes || (bytes == 0 && reduces(arguments.kind))) return {};
  CommunicatorState* const state = state_of(arguments.comm);
  if (state == nullptr) return {};
  if (state->started == nullptr) state->started = std::make_unique<StartedForms>();
  StartedForm* const form = state->started->find_or_add(arguments, bytes);
  if (form == nullptr) return {};
  count(*form, *state->started);
  return form->carried ? Way{.state = state, .form = form} : Way{};
}

/// Whether it was started, as on all ranks.
bool start(const StartArguments& arguments, const Way& way, StartedRequest& request) {
  const std::shared_ptr<HostGroup>& group = way.state->resources.host.made;
  request.start.result = way.form->result;
  request.start.output = static_cast<std::byte*>(arguments.recvbuf);
  const bool wanted = job().wanted.load(std::memory_order_relaxed);
  if (!group->starts()->start(wanted, arguments.input(), way.form->bytes, request.start)) return false;
  request.group = group;
  request.comm = arguments.comm;
  ++way.form->signature->accelerated_calls;
  mark_exchange(*way.state, AlgorithmId::shared_memory);
  started_requests().activate(request);
  return true;
}

}  // namespace

MPI_Request start_nonblocking(const StartArguments& arguments) {
  const Way way = way_of(arguments);
  if (way.form == nullptr) return MPI_REQUEST_NULL;
  StartedRequest* const request = started_requests().acquire();
  if (request == nullptr) throw std::bad_alloc();  // this rank could not stay in step with the others
  if (start(arguments, way, *request)) return request->request;
  started_requests().give_back(request);
  return MPI_REQUEST_NULL;
}

bool start_persistent(StartedRequest& request) {
  const Way way = way_of(request.arguments);
  return way.form != nullptr && start(request.arguments, way, request);
}

void watch_persistent(const StartArguments& arguments, MPI_Request request) {
  // to measure MPICH's is no good: MPICH 4.0 now and then waits for ever in them
  if (own_interface != BinaryInterface::open_mpi) return;
  const std::uint64_t bytes = reduces(arguments.kind) ? bytes_of(arguments) : 0;
  if (!may_be_started(arguments.kind) || bytes > StartRing::max_bytes || (bytes == 0 && reduces(arguments.kind)))
    return;
  if (state_of(arguments.comm) != nullptr) started_requests().add_persistent(request, arguments);
}

}  // namespace airamp::pmpi
