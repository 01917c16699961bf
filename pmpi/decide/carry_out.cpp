// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/carry_out.hpp"

#include <new>
#include <optional>
#include <string>

#include "pmpi/algorithm/abilities/buffer_bound.hpp"
#include "pmpi/algorithm/abilities/piggybacked_agreement.hpp"
#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/decide/expected_call.hpp"
#include "pmpi/decide/measure/measured_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/state/known_tunings.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

int run_refused(const Call& call, Reason why) {
  NativeCalls& refusal = call.state.refusals[{.kind = call.collective.kind(),
                                              .bucket = size_bucket(call.bytes),
                                              .element = std::string(call.facts.element_name),
                                              .op = std::string(call.facts.op_name),
                                              .why = why}];
  mark_native(call.state);
  ++refusal.calls;
  refusal.bytes += call.bytes;
  return call.collective.run_native();
}

int run_native_choice(const Call& call, SignatureState& signature) {
  mark_native(call.state);
  const Stopwatch watch;
  const int error = call.collective.run_native();
  signature.native_seconds.record(watch.seconds());
  return error;
}

int finish(const Call& call, SignatureState& signature, Algorithm& algorithm, const Stopwatch& watch) {
  signature.airamp_seconds.record(watch.seconds());
  ++signature.accelerated_calls;
  mark_sent(call.state, algorithm.sent_bytes());
  if (!job().settings.pola_post_receives || !recurs(call)) return MPI_SUCCESS;
  const int error = algorithm.prepare_next();
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise(call.state, signature, error);
}

/// Puts elements with holes where the application wants them. Returns an MPI error code.
int unpack(const CollectiveData& data) { return data.packed != nullptr ? data.packed->unpack() : MPI_SUCCESS; }

int finish_exchange(StagedExchange& exchange, const CollectiveData& data) {
  const int error = exchange.finish(data);
  const bool has_come = error == MPI_SUCCESS || error == MPI_ERR_TRUNCATE;  // what there is room for
  const int unpacked = has_come ? unpack(data) : MPI_SUCCESS;
  return error == MPI_SUCCESS ? unpacked : error;
}

int finish_timed(StagedExchange& exchange, const CollectiveData& data, SignatureState& signature) {
  const Stopwatch watch;
  const int error = finish_exchange(exchange, data);
  if (error == MPI_SUCCESS) signature.airamp_seconds.record(watch.seconds());
  return error;
}

/// Of a call whose algorithm did not begin, on all ranks.
int run_called_off(const Call& call, SignatureState& signature, Reason why) {
  --signature.calls;  // counted as refused instead
  signature.bytes -= call.bytes;
  return run_refused(call, why);
}

int run_staged(const Call& call, const Decision& decision) {
  SignatureState& signature = *decision.signature;
  mark_exchange(call.state, signature.candidates[decision.candidate]);
  StagedExchange& exchange = *signature.algorithms[decision.candidate]->staged_exchange();
  return finish_staged(call.state, signature, exchange, *call.staged, call.bytes);
}

/// An algorithm that is bound to buffers may leave a call to the MPI library, on all ranks.
int run_bound(const Call& call, const Decision& decision, BufferBound& bound, const CollectiveData& data) {
  SignatureState& signature = *decision.signature;
  const Stopwatch watch;
  const Result<bool> done = bound.execute_agreed(data, decision.recurs);
  if (!done.ok()) return raise(call.state, signature, done.error());
  if (*done) return finish(call, signature, *signature.algorithms[decision.candidate], watch);
  if (!bound.why_given_up().empty()) give_up(signature, decision.candidate, bound.why_given_up());
  return run_native_choice(call, signature);
}

int run_accelerated(const Call& call, const Decision& decision) {
  SignatureState& signature = *decision.signature;
  signature.tuner.count_calls(1);
  mark_exchange(call.state, signature.candidates[decision.candidate]);
  Algorithm& algorithm = *signature.algorithms[decision.candidate];
  CollectiveData data = data_of(call);
  data.patience_seconds = signature.patience_seconds();
  data.at_any_price = signature.candidates.is_imposed();
  data.meanwhile = [&call] { look_at_pattern(call.state); };
  if (BufferBound* const bound = algorithm.buffer_bound()) return run_bound(call, decision, *bound, data);
  const Stopwatch watch;
  const int error = algorithm.execute(data);
  // another rank sends more than this one has room for, of which the others do not hear
  const bool is_full = error == MPI_ERR_TRUNCATE;
  if (error != MPI_SUCCESS && !is_full) return raise(call.state, signature, error);
  if (algorithm.why_called_off() != Reason::none) return run_called_off(call, signature, algorithm.why_called_off());
  const int unpacked = unpack(data);
  if (is_full) return raise_own(call.state, error);
  if (unpacked != MPI_SUCCESS) return raise(call.state, signature, unpacked);
  return finish(call, signature, algorithm, watch);
}

int run_timed(const Call& call, SignatureState& signature) {
  const int error = time_native(call, signature);
  remember_tuning(call.state, signature_key_of(call), signature);
  return error;
}

int run_measured(const Call& call, SignatureState& signature) {
  mark_stage(call.state, telemetry::Stage::measuring);
  const MeasuredCall measured = measure(call, signature);
  const int error = measured.algorithm_error != MPI_SUCCESS ? raise(call.state, signature, measured.algorithm_error)
                                                            : measured.native_error;
  const bool is_agreed = !measured.agreed.candidates.empty();
  if (is_agreed) take_measurement(call, signature, measured);
  remember_tuning(call.state, signature_key_of(call), signature);
  publish_decision(call.state, signature_key_of(call), signature);
  const bool settled_native =
      signature.tuner.decided() && signature.tuner.choice() == tuner::SignatureTuner::native_choice;
  if (is_agreed && settled_native) signature.release();  // not needed before the next measurement
  return error;
}

}  // namespace

int carry_out(const Call& call, const Decision& decision) {
  using Action = Decision::Action;
  switch (decision.action) {
    case Action::refuse:
      return run_refused(call, decision.why);
    case Action::stay_native:
      return run_native_choice(call, *decision.signature);
    case Action::time_native:
      return run_timed(call, *decision.signature);
    case Action::measure:
      return run_measured(call, *decision.signature);
    case Action::accelerate:
      return run_accelerated(call, decision);
    case Action::finish_staged:
      return run_staged(call, decision);
    case Action::nothing:
      return MPI_SUCCESS;
    case Action::pass_through:
      break;
  }
  return call.collective.run_native();
}

int finish_staged(CommunicatorState& state, SignatureState& signature, StagedExchange& exchange,
                  const CollectiveData& data, std::uint64_t bytes) {
  const int error = is_timed(signature) ? finish_timed(exchange, data, signature) : finish_exchange(exchange, data);
  return end_staged(state, signature, error, bytes);
}

int end_staged(CommunicatorState& state, SignatureState& signature, int error, std::uint64_t bytes) {
  const bool has_room = error != MPI_ERR_TRUNCATE;
  if (error != MPI_SUCCESS && has_room) return raise(state, signature, error);
  count_carried(signature, bytes);  // as on the other ranks, which do not hear of what this one has no room for
  return has_room ? MPI_SUCCESS : raise_own(state, error);
}

int raise_own(const CommunicatorState& state, int error) {
  return native().Comm_call_errhandler(state.comm, error) == MPI_SUCCESS ? error : MPI_ERR_OTHER;
}

int raise(CommunicatorState& state, SignatureState& signature, int error) {
  // of the algorithms none knows what failures are called
  if (const int failure = state.resources.meeting_failure(); failure != MPI_SUCCESS) error = failure;
  signature.failure = error;
  ++state.looked_at;
  telemetry::log(config::LogLevel::error, "an accelerated collective failed");
  return raise_own(state, error);
}

bool can_piggyback(const ReadyPlan& plan) {
  return plan.signature != nullptr && job().settings.pola_ask_along &&
         plan.algorithm().piggybacked_agreement() != nullptr;
}

Result<bool> run_piggybacked(const Call& call, const ReadyPlan& plan, bool consent) {
  SignatureState& signature = *plan.signature;
  mark_stage(call.state, telemetry::Stage::exchange);
  const Stopwatch watch;
  PiggybackedAgreement& asking = *plan.algorithm().piggybacked_agreement();
  const Result<bool> agreed = asking.execute_if_agreed(call.collective.data(plan.facts), consent);
  if (!agreed.ok()) return MpiError{raise(call.state, signature, agreed.error())};
  call.state.waiting_seconds += asking.waited_seconds();
  if (!*agreed) return false;
  mark_path(call.state, signature.candidates[plan.candidate]);
  count_unasked(signature, call.bytes);
  ++signature.piggybacked_calls;
  if (const int error = finish(call, signature, plan.algorithm(), watch); error != MPI_SUCCESS) return MpiError{error};
  return true;
}

bool pack(Call& call) {
  if (!call.facts.packed) return true;
  try {
    call.packed = call.collective.data(call.facts);
    return is_well_packed(*call.packed);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

bool stage(Call& call, const ReadyPlan& plan) {
  StagedExchange* const exchange = plan.algorithm().staged_exchange();
  const HostMeeting* const meeting = call.state.resources.host_meeting();
  if (exchange == nullptr || meeting == nullptr || meeting->was_closed()) return true;
  try {
    call.staged = data_of(call);  // of which this rank finds what the plan says
  } catch (const std::bad_alloc&) {
    return false;
  }
  if (!exchange->stage(*call.staged)) call.staged.reset();
  return true;
}

}  // namespace airamp::pmpi
