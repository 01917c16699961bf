// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The way of a call, all of it the same on every rank:
//   gate       some calls go native without asking (tuner/agreement_gate.hpp)
//   agreement  the ranks compare what each knows of its data and its MPI_Pcontrol state
//   plan       on first sight scratch and requests are acquired and the ranks tell each other whether they could
//   tuner      native, measured, or the agreed algorithm; after this no rank can fall back on its own
#include "pmpi/accelerate.hpp"

#include <array>
#include <cstdio>
#include <new>
#include <string>

#include "pmpi/agreement.hpp"
#include "pmpi/job.hpp"
#include "pmpi/measured_call.hpp"
#include "pmpi/native.hpp"
#include "pmpi/stopwatch.hpp"
#include "telemetry/call_counters.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

constexpr int native_choice = tuner::SignatureTuner::native_choice;

bool forced() { return job().settings.force == config::Force::mpi_two_shot; }

tuner::TuningRules rules_for(const CommunicatorState& state) {
  const config::Settings& settings = job().settings;
  return {.warmup_iterations = settings.warmup_iterations,
          .min_speedup = settings.min_speedup,
          .max_relative_error = state.policy.max_relative_error.value_or(settings.max_relative_error)};
}

int run_refused(const CollectiveCall& call, CommunicatorState& state, const View& view, std::string_view why) {
  NativeCalls& refusal = state.refusals[{.kind = call.kind(),
                                         .bucket = telemetry::size_bucket(call.bytes()),
                                         .element = std::string(view.element_name),
                                         .op = std::string(view.op_name),
                                         .why = std::string(why)}];
  ++refusal.calls;
  refusal.bytes += call.bytes();
  return call.run_native();
}

/// Acquires what the algorithm needs; all ranks succeed or all give it back. Collective.
int acquire(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view) {
  if (!state.private_communicator.exists()) {
    const int error = state.private_communicator.create(call.communicator(), state.rank);
    if (error != MPI_SUCCESS) return error;
  }
  const int tag = state.private_communicator.reserve_tags();
  try {
    const Group group{state.private_communicator, state.rank, state.size};
    signature.algorithm = call.make_algorithm(view, group, tag);
  } catch (const std::bad_alloc&) {
    telemetry::log(config::LogLevel::warn, "no memory for the scratch of a collective: it stays native on all ranks");
  }
  bool acquired = false;
  if (const int error = agree_on_success(call.communicator(), signature.algorithm != nullptr, acquired);
      error != MPI_SUCCESS) {
    return error;
  }
  if (!acquired) {
    signature.algorithm.reset();
    signature.why_not_acquired = "some rank had no memory for it";
  }
  return MPI_SUCCESS;
}

int run_native_choice(const CollectiveCall& call, SignatureState& signature) {
  const Stopwatch watch;
  const int error = call.run_native();
  signature.native_seconds.add(watch.seconds());
  return error;
}

/// The algorithm's trouble becomes the application's through its own error handler.
int raise(const CollectiveCall& call, SignatureState& signature, int error) {
  signature.failed = true;
  telemetry::log(config::LogLevel::error, "an accelerated collective failed in the MPI library");
  return native().Comm_call_errhandler(call.communicator(), error) == MPI_SUCCESS ? error : MPI_ERR_OTHER;
}

int run_accelerated(const CollectiveCall& call, SignatureState& signature) {
  const Stopwatch watch;
  if (const int error = call.run(*signature.algorithm); error != MPI_SUCCESS) return raise(call, signature, error);
  signature.airamp_seconds.add(watch.seconds());
  ++signature.accelerated_calls;
  return MPI_SUCCESS;
}

int run_timed_native(const CollectiveCall& call, SignatureState& signature) {
  double seconds = 0;
  if (const int error = time_native(call, seconds); error != MPI_SUCCESS) return error;
  signature.tuner.record_native(seconds);
  signature.native_seconds.add(seconds);
  return MPI_SUCCESS;
}

void log_measurement(const CollectiveCall& call, const tuner::CallMeasurement& agreed,
                     const SignatureState& signature) {
  const tuner::CandidateMeasurement& candidate = agreed.candidates.front();
  std::array<char, 256> text{};
  std::snprintf(text.data(), text.size(),
                "measured %s of %llu bytes: native %.1f us, %s %.1f us, relative error %.2g; next calls: %s",
                std::string(function_names[static_cast<std::size_t>(call.function())]).c_str(),
                static_cast<unsigned long long>(call.bytes()), agreed.native_seconds * 1e6,
                std::string(mpi_two_shot_name).c_str(), candidate.seconds * 1e6, candidate.relative_error,
                signature.tuner.why().c_str());
  telemetry::log(config::LogLevel::debug, text.data());
}

int run_measured(const CollectiveCall& call, const CommunicatorState& state, SignatureState& signature,
                 const View& view) {
  const MeasuredCall measured = measure(call, *signature.algorithm, view);
  if (measured.algorithm_error != MPI_SUCCESS) return raise(call, signature, measured.algorithm_error);
  if (measured.native_error != MPI_SUCCESS) return measured.native_error;
  signature.tuner.record(measured.agreed);
  if (state.rank == 0) log_measurement(call, measured.agreed, signature);
  signature.native_seconds.add(measured.agreed.native_seconds);
  signature.airamp_seconds.add(measured.agreed.candidates.front().seconds);
  ++signature.tuning_calls;
  signature.tuning_seconds += measured.seconds_beyond_native;
  return MPI_SUCCESS;
}

/// A call that all ranks agree is eligible.
int run_eligible(const CollectiveCall& call, CommunicatorState& state, tuner::AgreementGate& gate, const View& view) {
  const SignatureKey key{call.kind(), telemetry::size_bucket(call.bytes()), view.element, view.op};
  SignatureState& signature = state.signatures.try_emplace(key, rules_for(state)).first->second;
  if (signature.failed) return raise(call, signature, MPI_ERR_OTHER);
  ++signature.calls;
  signature.bytes += call.bytes();

  using Step = tuner::SignatureTuner::Step;
  const Step step = forced() ? Step::choice : signature.tuner.next();
  const bool accelerated = forced() || (step == Step::choice && signature.tuner.choice() != native_choice);
  if ((step == Step::measurement || accelerated) && signature.algorithm == nullptr &&
      signature.why_not_acquired.empty()) {
    if (const int error = acquire(call, state, signature, view); error != MPI_SUCCESS) return error;
  }
  if (!signature.why_not_acquired.empty() || (step == Step::choice && !accelerated)) {
    signature.tuner.count_calls(1 + gate.skipped());
    gate.useless();
    return run_native_choice(call, signature);
  }
  gate.useful();
  switch (step) {
    case Step::choice:
      signature.tuner.count_calls(1);
      return run_accelerated(call, signature);
    case Step::native_alone:
      return run_timed_native(call, signature);
    case Step::measurement:
      break;
  }
  const int error = run_measured(call, state, signature, view);
  const bool settled_native = signature.tuner.decided() && signature.tuner.choice() == native_choice;
  if (error == MPI_SUCCESS && settled_native) signature.algorithm.reset();  // not needed before the next measurement
  return error;
}

}  // namespace

int accelerate(const CollectiveCall& call, CommunicatorState& state) {
  tuner::AgreementGate& gate = state.gates[{call.kind(), telemetry::size_bucket(call.bytes()), call.equal_arguments()}];
  if (!gate.open()) return call.run_native();
  const View view = call.view();
  Consent consent = Consent::none;
  const bool wanted = job().wanted.load(std::memory_order_relaxed);
  if (const int error = agree_on_view(call.communicator(), view, wanted, consent); error != MPI_SUCCESS) return error;
  switch (consent) {
    case Consent::all:
      return run_eligible(call, state, gate, view);
    case Consent::suspended:
      gate.useful();  // MPI_Pcontrol may switch it on again at any call
      return run_refused(call, state, view, "switched off by MPI_Pcontrol");
    case Consent::none:
      break;
  }
  if (forced()) {
    gate.useful();  // every eligible call is to be seen
  } else {
    gate.useless();
  }
  return run_refused(call, state, view, view.eligible ? "the ranks see different data types" : view.why);
}

}  // namespace airamp::pmpi
