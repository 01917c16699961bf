// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/started/settle_starts.hpp"

#include <memory>
#include <new>
#include <utility>

#include "codec/floating_point_scope.hpp"
#include "pmpi/algorithm/abilities/started_exchange.hpp"
#include "pmpi/call/started/started_call.hpp"
#include "pmpi/decide/decide.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/device/started/scratch_vectors.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {
namespace {

/// The tuner wants some calls before it decides, and is not waited for without an end.
constexpr int most_calls = 64;

SignatureState* find_signature(CommunicatorState& state, const StartedCall& call) {
  const auto found = state.signatures.find(signature_key_of(call.kind(), call.key_facts()));
  return found != state.signatures.end() ? &found->second : nullptr;
}

/// Whether the ranks would find out more by another call. The same on all of them.
bool is_open(const SignatureState* signature) {
  if (signature == nullptr) return true;
  if (signature->failure != MPI_SUCCESS || signature->not_acquired()) return false;
  if (signature->candidates.is_imposed()) return !signature->acquired;
  return signature->tuner.next() != tuner::SignatureTuner::Step::choice;
}

/// Calls of AIRamp's own do not count as the program's.
class UncountedCalls {
 public:
  explicit UncountedCalls(const SignatureState* signature) {
    if (signature == nullptr) return;
    calls_ = signature->calls;
    bytes_ = signature->bytes;
    accelerated_calls_ = signature->accelerated_calls;
  }
  void take_off(SignatureState& signature) const {
    signature.calls = calls_;
    signature.bytes = bytes_;
    signature.accelerated_calls = accelerated_calls_;
  }

 private:
  std::uint64_t calls_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t accelerated_calls_ = 0;
};

/// Has the ranks agree on calls like those of the form, and measure them. Returns an MPI error code.
int decide_on(CommunicatorState& state, const StartedCall& call) {
  const UncountedCalls before(find_signature(state, call));
  int error = MPI_SUCCESS;
  std::uint64_t counted = 0;
  for (int made = 0; made < most_calls && error == MPI_SUCCESS && is_open(find_signature(state, call)); ++made) {
    error = accelerate(call, {.state = &state, .no_compression = Reason::compression_off}, call.bytes());
    const SignatureState* const signature = find_signature(state, call);
    if (signature == nullptr || std::exchange(counted, signature->calls) == signature->calls) break;  // refused
  }
  if (SignatureState* const signature = find_signature(state, call)) before.take_off(*signature);
  return error;
}

/// The algorithm that carries what is started; nullptr if it stays native.
Algorithm* algorithm_of(const SignatureState& signature) {
  const std::optional<std::size_t> candidate = ready_candidate(signature);
  Algorithm* const algorithm = candidate ? signature.algorithms[*candidate].get() : nullptr;
  return algorithm != nullptr && algorithm->started_exchange() != nullptr ? algorithm : nullptr;
}

/// Makes how the ranks' vectors go, on all ranks or on none. Returns an MPI error code.
int make_carrier(const CommunicatorState& state, const StartedCall& call, Algorithm& algorithm, StartedForm& form) {
  form.has_carrier = false;
  const CollectiveData data = call.data(call.key_facts());
  const Result<bool> known = algorithm.prepare_trial(data);
  if (!known.ok() || !*known) return known.error();
  const StartedExchange& exchange = *algorithm.started_exchange();
  form.starts = exchange.starts();
  bool made = exchange.may_be_started(data);
  try {
    if (made) form.carrier = exchange.carrier_of(data);
  } catch (const std::bad_alloc&) {  // the others hear of it
    made = false;
  }
  const Result<bool> all = agree_on_success(state.comm, made);
  form.has_carrier = all.ok() && *all;
  return all.error();
}

/// A call like those of the form. Of vectors that only GPUs may carry its numbers lie on this rank's, if the latest
/// call's did. nullptr if it cannot be made, on all ranks.
Result<std::unique_ptr<StartedCall>> make_call(const CommunicatorState& state, const StartedForm& form) {
  StartArguments like = form.latest;
  like.comm = state.comm;
  if (!form.is_for_gpus()) return std::make_unique<StartedCall>(like, form.bytes, state.rank);
  std::unique_ptr<StartedCall> call;
  try {
    const bool usable = form.gpu != nullptr && form.gpu->is_alive();
    std::unique_ptr<ScratchVectors> vectors = usable ? ScratchVectors::make(*form.gpu, form.bytes) : nullptr;
    if (vectors != nullptr) call = std::make_unique<StartedCall>(like, form.bytes, state.rank, std::move(vectors));
  } catch (const std::bad_alloc&) {  // the others hear of it
    call.reset();
  }
  const Result<bool> all = agree_on_success(state.comm, call != nullptr && call->is_ready());
  if (!all.ok()) return MpiError{all.error()};
  if (!*all) call.reset();
  return call;
}

int settle(CommunicatorState& state, StartedForm& form) {
  Result<std::unique_ptr<StartedCall>> made = make_call(state, form);
  if (!made.ok()) return made.error();
  if (*made == nullptr) {
    form.settled_from = 2 * form.calls;
    return MPI_SUCCESS;
  }
  StartedCall& call = **made;
  if (const int error = call.open(); error != MPI_SUCCESS) return error;
  if (const int error = decide_on(state, call); error != MPI_SUCCESS) return error;
  form.signature = find_signature(state, call);
  // some rank may want none of AIRamp at the moment
  form.settled_from = form.signature == nullptr || is_open(form.signature) ? 2 * form.calls : StartedForm::never;
  Algorithm* const algorithm = form.signature != nullptr ? algorithm_of(*form.signature) : nullptr;
  if (algorithm == nullptr) return MPI_SUCCESS;
  form.algorithm = form.signature->candidates[*ready_candidate(*form.signature)];
  return make_carrier(state, call, *algorithm, form);
}

}  // namespace

int settle_due_starts(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || !job().on.load(std::memory_order_acquire)) return MPI_SUCCESS;
  CommunicatorState* const state = communicator_state(comm);
  if (state == nullptr || state->started == nullptr || !state->started->is_due()) return MPI_SUCCESS;
  const codec::FloatingPointScope scope;
  StartedForms& forms = *state->started;
  forms.set_due(false);
  int error = MPI_SUCCESS;
  for (StartedForm& form : forms) {
    if (error == MPI_SUCCESS && form.is_due()) error = settle(*state, form);
  }
  for (StartedForm& form : forms) {  // others of the same signature too
    form.carried = form.has_carrier && form.signature != nullptr && algorithm_of(*form.signature) != nullptr;
  }
  return error;
}

}  // namespace airamp::pmpi
