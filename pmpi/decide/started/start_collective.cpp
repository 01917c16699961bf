// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/started/start_collective.hpp"

#include <cstddef>
#include <new>
#include <utility>

#include "pmpi/call/eligibility.hpp"
#include "pmpi/device/on_gpu.hpp"
#include "pmpi/group/started/peer_starts.hpp"
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

/// As far as the job and the function say.
bool may_be_started(Kind kind) {
  const Job& j = job();
  return j.on.load(std::memory_order_acquire) && j.settings.enable_shared_memory &&
         j.settings.force != config::Force::native && is_started(kind);
}

/// Of the longest vector that may be carried on so many ranks.
std::uint64_t most_bytes(int size) { return job().gpus ? PeerStarts::most_bytes : HostGroup::longest_start(size); }

/// Of a reduction that MPI allows; 0 of others, which are the MPI library's errors, and of what has no data.
std::uint64_t bytes_of(const StartArguments& arguments) {
  const bool valid = arguments.count > 0 && arguments.recvbuf != nullptr && arguments.sendbuf != nullptr;
  return valid ? payload_bytes(arguments.count, arguments.type) : 0;
}

/// That of the communicator of a start that may be carried, if it is `bytes` bytes long; nullptr of others.
CommunicatorState* state_of(const StartArguments& arguments, std::uint64_t bytes) {
  constexpr int fewest_ranks = 2;
  if (reduces(arguments.kind) && (bytes == 0 || bytes > most_bytes(fewest_ranks))) return nullptr;
  if (arguments.comm == MPI_COMM_NULL) return nullptr;
  CommunicatorState* const state = communicator_state(arguments.comm);
  if (state == nullptr) {
    if (BeingFreed::includes(arguments.comm)) return nullptr;
    throw std::bad_alloc();  // this rank could not stay in step with the others
  }
  const bool usable = !state->inter && !state->foreign && state->size >= fewest_ranks &&
                      state->size <= StartRing::max_ranks && state->size <= job().max_ranks_on_host;
  return usable && bytes <= most_bytes(state->size) ? state : nullptr;
}

/// The GPU that holds all buffers of a call; nullptr if there is none.
GpuDevice* gpu_of_both(const StartArguments& arguments) {
  GpuDevice* const gpu = gpu_of(arguments.input()).device;
  return gpu != nullptr && gpu_of(arguments.recvbuf).device == gpu ? gpu : nullptr;
}

/// Counts a start, and says when it is to be settled how those like it go.
void count(const StartArguments& arguments, StartedForm& form, StartedForms& forms) {
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
  if (!form.is_due()) return;
  forms.set_due(true);
  if (form.is_for_gpus()) form.gpu = gpu_of_both(arguments);
}

/// Where and how a start goes through shared memory, if it is to.
struct Way {
  CommunicatorState* state = nullptr;
  StartedForm* form = nullptr;
};

Way way_of(const StartArguments& arguments) {
  if (!may_be_started(arguments.kind)) return {};
  const std::uint64_t bytes = bytes_of(arguments);
  CommunicatorState* const state = state_of(arguments, bytes);
  if (state == nullptr) return {};
  if (state->started == nullptr) state->started = std::make_unique<StartedForms>();
  StartedForm* const form = state->started->find_or_add(arguments, bytes);
  if (form == nullptr) return {};
  count(arguments, *form, *state->started);
  return form->carried ? Way{.state = state, .form = form} : Way{};
}

/// Whether it was started, as on all ranks.
bool start(const StartArguments& arguments, const Way& way, StartedRequest& request) {
  StartedForm& form = *way.form;
  if (form.starts->skip()) return false;
  Start& start = request.start;
  start.carrier = form.carrier;
  start.buffers = {
      .input = arguments.input(), .output = static_cast<std::byte*>(arguments.recvbuf), .bytes = form.bytes};
  if (form.carrier != nullptr) {
    start.buffers.input_on = gpu_of(start.buffers.input);
    start.buffers.output_on =
        start.buffers.output == start.buffers.input ? start.buffers.input_on : gpu_of(start.buffers.output);
  }
  const bool wanted =
      job().wanted.load(std::memory_order_relaxed) && (form.carrier == nullptr || form.carrier->wants(start.buffers));
  if (!form.starts->start(wanted, start)) return false;
  request.starts = form.starts;
  request.is_on_copies = false;
  request.is_raised = false;
  request.comm = arguments.comm;
  ++form.signature->accelerated_calls;
  mark_exchange(*way.state, form.algorithm);
  started_requests().activate(request);
  return true;
}

bool may_persistent_be_shared(const StartArguments& arguments) {
  // to measure MPICH's is no good: MPICH 4.0 now and then waits for ever in them
  if (own_interface != BinaryInterface::open_mpi || !may_be_started(arguments.kind)) return false;
  return state_of(arguments, bytes_of(arguments)) != nullptr;
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

void watch_persistent(const StartArguments& arguments, MPI_Request request, std::unique_ptr<CopiedStart> copied) {
  const bool may_be_shared = may_persistent_be_shared(arguments);
  if (may_be_shared || copied != nullptr) {
    started_requests().add_persistent(request, arguments, may_be_shared, std::move(copied));
  }
}

}  // namespace airamp::pmpi
