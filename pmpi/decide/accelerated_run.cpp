// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/accelerated_run.hpp"

#include "pmpi/algorithm/buffer_bound.hpp"
#include "pmpi/algorithm/piggybacked_agreement.hpp"
#include "pmpi/algorithm/staged_exchange.hpp"
#include "pmpi/decide/acquire.hpp"
#include "pmpi/decide/expected_call.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/state/observed_call.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

int finish(const CollectiveCall& call, const CommunicatorState& state, SignatureState& signature, Algorithm& algorithm,
           const Stopwatch& watch) {
  signature.airamp_seconds.add(watch.seconds());
  ++signature.accelerated_calls;
  mark_sent(state, algorithm.sent_bytes());
  if (!job().settings.pola_post_receives) return MPI_SUCCESS;
  if (!state.pola.recurs(pattern_signature(call.kind(), call.bytes(), call.equal_arguments()))) return MPI_SUCCESS;
  const int error = algorithm.prepare_next();
  return error == MPI_SUCCESS ? MPI_SUCCESS : raise(call, signature, error);
}

}  // namespace

int raise(const CollectiveCall& call, SignatureState& signature, int error) {
  signature.failure = error;
  telemetry::log(config::LogLevel::error, "an accelerated collective failed");
  return native().Comm_call_errhandler(call.communicator(), error) == MPI_SUCCESS ? error : MPI_ERR_OTHER;
}

int run_accelerated(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                    std::size_t candidate, bool recurs, bool& done) {
  mark_path(state, signature.candidates[candidate]);
  mark_stage(state, telemetry::Stage::exchange);
  const Stopwatch watch;
  Algorithm& algorithm = *signature.algorithms[candidate];
  CollectiveData data = call.data(view);
  data.patience_seconds = signature.patience_seconds();
  data.meanwhile = [&state] { look_at_pattern(state); };
  BufferBound* const bound = algorithm.buffer_bound();
  const int error = bound != nullptr ? bound->execute_agreed(data, recurs, done) : algorithm.execute(data);
  if (error != MPI_SUCCESS) return raise(call, signature, error);
  if (bound == nullptr) done = algorithm.why_called_off() == Reason::none;
  if (done) return finish(call, state, signature, algorithm, watch);
  if (bound != nullptr && !bound->why_given_up().empty()) give_up(signature, candidate, bound->why_given_up());
  return MPI_SUCCESS;
}

int run_asking(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
               std::size_t candidate, bool consent, bool& agreed) {
  mark_stage(state, telemetry::Stage::exchange);
  const Stopwatch watch;
  Algorithm& algorithm = *signature.algorithms[candidate];
  PiggybackedAgreement& asking = *algorithm.piggybacked_agreement();  // the plan says that it has one
  const int error = asking.execute_if_agreed(call.data(view), consent, agreed);
  if (error != MPI_SUCCESS) return raise(call, signature, error);
  state.waiting_seconds += asking.waited_seconds();
  if (!agreed) return MPI_SUCCESS;
  mark_path(state, signature.candidates[candidate]);
  signature.tuner.count_calls(1);
  ++signature.calls;
  ++signature.asked_along_calls;
  signature.bytes += call.bytes();
  return finish(call, state, signature, algorithm, watch);
}

bool stage(const CollectiveCall& call, const ReadyPlan& plan) {
  StagedExchange* const exchange = plan.signature->algorithms[plan.candidate]->staged_exchange();
  return exchange != nullptr && exchange->stage(call.data(plan.view));
}

void finish_staged(const CollectiveCall& call, CommunicatorState& state, const ReadyPlan& plan) {
  SignatureState& signature = *plan.signature;
  mark_path(state, signature.candidates[plan.candidate]);
  mark_stage(state, telemetry::Stage::exchange);
  const Stopwatch watch;
  signature.algorithms[plan.candidate]->staged_exchange()->finish(call.data(plan.view));
  signature.tuner.count_calls(1);
  ++signature.calls;
  signature.bytes += call.bytes();
  signature.airamp_seconds.add(watch.seconds());
  ++signature.accelerated_calls;
}

}  // namespace airamp::pmpi
