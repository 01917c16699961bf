// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The way of a call, all of it the same on every rank:
//   pattern    PoLA looks at every call, if it can while a GPU works; what it expects is ready (pola/stream.hpp)
//   gate       some calls go native without asking (tuner/agreement_gate.hpp)
//   agreement  the ranks compare what each knows of its data and its MPI_Pcontrol state
//   plan       on first sight scratch and requests are acquired and the ranks tell each other whether they could
//   tuner      native, measured, or the agreed algorithm; after this no rank can fall back on its own
#include "pmpi/decide/accelerate.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <string>

#include "core/size_bucket.hpp"
#include "gpu/host/floating_point_scope.hpp"
#include "pmpi/algorithm/buffer_bound.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/decide/accelerated_run.hpp"
#include "pmpi/decide/acquire.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/arrival_watch.hpp"
#include "pmpi/decide/buffer_location.hpp"
#include "pmpi/decide/expected_call.hpp"
#include "pmpi/decide/ghost_watch.hpp"
#include "pmpi/decide/gpu_order.hpp"
#include "pmpi/decide/measured_call.hpp"
#include "pmpi/decide/operand_sample.hpp"
#include "pmpi/device/gpu_turn.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/known_tunings.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

constexpr int native_choice = tuner::SignatureTuner::native_choice;

SignatureKey key_of(const CollectiveCall& call, const View& view) {
  const unsigned bucket = size_bucket(call.bytes());
  return {call.kind(), bucket, view.type, view.op, view.memory, view.lossy, view.lossless};
}

int run_refused(const CollectiveCall& call, CommunicatorState& state, const View& view, Reason why) {
  NativeCalls& refusal = state.refusals[{.kind = call.kind(),
                                         .bucket = size_bucket(call.bytes()),
                                         .element = std::string(view.element_name),
                                         .op = std::string(view.op_name),
                                         .why = why}];
  mark_native(state);
  ++refusal.calls;
  refusal.bytes += call.bytes();
  return call.run_native();
}

int run_native_choice(const CollectiveCall& call, const CommunicatorState& state, SignatureState& signature) {
  mark_native(state);
  const Stopwatch watch;
  const int error = call.run_native();
  signature.native_seconds.add(watch.seconds());
  return error;
}

/// Takes note of an agreed time. Not inlined: see `take_measurement`.
[[gnu::noinline]] void take_native_time(SignatureState& signature, double seconds) {
  const gpu::host::FloatingPointScope scope;
  signature.tuner.record_native(seconds);
  signature.native_seconds.add(seconds);
}

int run_timed_native(const CollectiveCall& call, SignatureState& signature) {
  double seconds = 0;
  if (const int error = time_native(call, seconds); error != MPI_SUCCESS) return error;
  take_native_time(signature, seconds);
  return MPI_SUCCESS;
}

void log_measurement(const CollectiveCall& call, const tuner::CallMeasurement& agreed,
                     const SignatureState& signature) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "measured %s of %llu bytes: native %.1f us",
                std::string(function_names[static_cast<std::size_t>(call.function())]).c_str(),
                static_cast<unsigned long long>(call.bytes()), agreed.native_seconds * 1e6);
  std::string line = text.data();
  for (std::size_t i = 0; i < agreed.candidates.size(); ++i) {
    std::snprintf(text.data(), text.size(), ", %s %.1f us with relative error %.2g",
                  std::string(to_string(signature.candidates[i])).c_str(), agreed.candidates[i].seconds * 1e6,
                  agreed.candidates[i].relative_error);
    line += text.data();
  }
  telemetry::log(config::LogLevel::debug, line + "; next calls: " + to_text(signature.tuner.why()));
}

/// Takes note of what was agreed, times that are infinite and figures that are not known among it, which must not trap
/// in the application's name. Not inlined, so that no arithmetic moves out of the floating-point scope.
[[gnu::noinline]] void take_measurement(const CollectiveCall& call, const CommunicatorState& state,
                                        SignatureState& signature, const MeasuredCall& measured) {
  const gpu::host::FloatingPointScope scope;
  signature.tuner.record(measured.agreed);
  if (state.rank == 0) log_measurement(call, measured.agreed, signature);
  signature.native_seconds.add(measured.agreed.native_seconds);
  double best = measured.agreed.candidates.front().seconds;
  for (const tuner::CandidateMeasurement& candidate : measured.agreed.candidates) {
    best = std::min(best, candidate.seconds);
  }
  signature.airamp_seconds.add(best);
  ++signature.tuning_calls;
  signature.tuning_seconds += measured.seconds_beyond_native;
  publisher().add(telemetry::layout::Counter::tuning_calls, 1);
  publisher().add(telemetry::layout::Counter::tuning_nanoseconds,
                  static_cast<std::uint64_t>(1e9 * std::max(0.0, measured.seconds_beyond_native)));
}

int run_measured(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                 const gpu::Location& gpu) {
  mark_stage(state, telemetry::Stage::measuring);
  const MeasuredCall measured = measure(call, state, signature, view, gpu);
  if (measured.algorithm_error != MPI_SUCCESS) return raise(call, signature, measured.algorithm_error);
  if (measured.native_error != MPI_SUCCESS) return measured.native_error;
  take_measurement(call, state, signature, measured);
  return MPI_SUCCESS;
}

/// A call whose signature has an accelerated choice. `recurs`: agreed.
int run_choice(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
               std::size_t choice, bool recurs) {
  signature.tuner.count_calls(1);
  bool done = false;
  const int error = run_accelerated(call, state, signature, view, choice, recurs, done);
  if (error != MPI_SUCCESS || done) return error;
  const Algorithm* algorithm = signature.algorithms[choice].get();
  if (algorithm != nullptr && algorithm->why_called_off() != Reason::none) {
    --signature.calls;  // counted as refused instead
    signature.bytes -= call.bytes();
    return run_refused(call, state, view, algorithm->why_called_off());
  }
  return run_native_choice(call, state, signature);
}

/// What this rank knows from other communicators, where the signature is new to this one.
std::optional<tuner::SignatureTuner> known_before(const CollectiveCall& call, CommunicatorState& state,
                                                  const View& view) {
  if (!view.eligible()) return std::nullopt;
  const SignatureKey key = key_of(call, view);
  return state.signatures.contains(key) ? std::nullopt : known_tuning(state, key);
}

/// How long calls that share a gate are asked about in vain.
tuner::Patience patience_for(Kind kind, const CommunicatorState& state) {
  // The next broadcast may be of another length or memory, and in shared memory the question is cheap.
  return kind == Kind::bcast && state.resources.peers.made != nullptr
             ? tuner::Patience{.answers = 8, .longest_pause = 32}
             : tuner::Patience{};
}

/// `known`: agreed, what to start from.
SignatureState& signature_of(const CollectiveCall& call, CommunicatorState& state, const SignatureKey& key,
                             const View& view, const std::optional<tuner::SignatureTuner>& known) {
  const auto found = state.signatures.find(key);
  if (found != state.signatures.end() && !found->second.outdated) return found->second;
  const std::uint64_t most_bytes = bucket_upper_bound(key.bucket);
  const CandidateList candidates = candidates_for(call.kind(), most_bytes, view, state.size, imposed_algorithm(state));
  if (found == state.signatures.end()) {
    SignatureState& made = state.signatures.try_emplace(key, rules_for(state), candidates).first->second;
    if (known) made.start_from(*known);
    return made;
  }
  if (found->second.failure == MPI_SUCCESS) found->second.start_again(rules_for(state), candidates);
  return found->second;
}

/// A call that all ranks agree is eligible. `recurs`: agreed, whether the chosen algorithm is bound to their buffers;
/// `known`: agreed, what a signature that is new starts from.
int run_eligible(const CollectiveCall& call, CommunicatorState& state, GatedCalls& calls, const View& view,
                 const gpu::Location& gpu, bool recurs, const std::optional<tuner::SignatureTuner>& known) {
  tuner::AgreementGate& gate = calls.gate;
  const SignatureKey key = key_of(call, view);
  SignatureState& signature = signature_of(call, state, key, view, known);
  calls.agreed = key;
  if (signature.failure != MPI_SUCCESS) return raise(call, signature, signature.failure);
  ++signature.calls;
  signature.bytes += call.bytes();

  using Step = tuner::SignatureTuner::Step;
  const bool forced = signature.candidates.is_imposed();
  const Step step = forced ? Step::choice : signature.tuner.next();
  const int choice = forced ? 0 : signature.tuner.choice();
  const bool accelerated = step == Step::choice && choice != native_choice;
  if ((step == Step::measurement || accelerated) && !signature.acquired) {
    if (const int error = acquire(call, state, signature, view, gpu); error != MPI_SUCCESS) return error;
    publish_decision(state, key, signature);
  }
  if (signature.not_acquired() || (step == Step::choice && !accelerated)) {
    signature.tuner.count_calls(1 + gate.skipped());
    if (forced) {
      gate.useful();  // other types share the gate, and every call that the imposed path can carry is to be seen
    } else {
      gate.useless(patience_for(call.kind(), state));
    }
    return run_native_choice(call, state, signature);
  }
  gate.useful();
  if (accelerated && signature.algorithms[static_cast<std::size_t>(choice)] == nullptr) {
    // chosen on another communicator, but not to be had on this one, on all ranks: its ranks begin anew
    signature.tuner = tuner::SignatureTuner(rules_for(state), signature.candidates.size());
    return run_native_choice(call, state, signature);
  }
  switch (step) {
    case Step::choice:
      return run_choice(call, state, signature, view, static_cast<std::size_t>(choice), recurs);
    case Step::native_alone: {
      const int error = run_timed_native(call, signature);
      remember_tuning(state, key, signature);
      return error;
    }
    case Step::measurement:
      break;
  }
  const int error = run_measured(call, state, signature, view, gpu);
  remember_tuning(state, key, signature);
  publish_decision(state, key, signature);
  const bool settled_native = signature.tuner.decided() && signature.tuner.choice() == native_choice;
  if (error == MPI_SUCCESS && settled_native) signature.give_back();  // not needed before the next measurement
  return error;
}

/// Whether some algorithm is bound to this rank's buffers of a call, if the others see the call as this rank does.
/// There is one such candidate at most.
bool buffers_recur(const CollectiveCall& call, const CommunicatorState& state, const View& view) {
  if (call.kind() != Kind::allreduce || !view.lossy || view.memory != Memory::host) return false;
  const auto found = state.signatures.find(key_of(call, view));
  if (found == state.signatures.end()) return false;
  const auto& algorithms = found->second.algorithms;
  return std::any_of(algorithms.begin(), algorithms.end(), [&](const std::unique_ptr<Algorithm>& algorithm) {
    BufferBound* const bound = algorithm != nullptr ? algorithm->buffer_bound() : nullptr;
    return bound != nullptr && bound->recurs(call.data(view));
  });
}

/// A call that was expected. If some rank sees another call than was expected, `agreed` is false on all, and they are
/// to find out what it is.
int run_ready(const CollectiveCall& call, CommunicatorState& state, GatedCalls& calls, const ReadyPlan& plan,
              bool consent, bool& agreed) {
  const int error = run_asking(call, state, *plan.signature, plan.view, plan.candidate, consent, agreed);
  if (error != MPI_SUCCESS) return error;
  if (agreed) {
    calls.gate.useful();
    calls.asking.useful();
  } else {
    calls.asking.useless();
    ++plan.signature->vetoed_calls;
    calls.agreed.reset();
  }
  return MPI_SUCCESS;
}

View view_of(const CollectiveCall& call, std::uint64_t bytes, Memory memory, Reason no_compression) {
  const bool in_shared_memory = memory == Memory::host && may_use_shared_memory(call.kind(), bytes);
  View view = call.view({.no_compression = no_compression, .lossless = on_gpu(memory) || in_shared_memory});
  view.memory = memory;
  view.bytes = bytes;
  if (on_gpu(memory)) heed_alignment(view, call);
  return view;
}

/// Where all ranks are to try an operation: on elements of two of them, which change from trial to trial.
int try_operation(const CollectiveCall& call, const CommunicatorState& state, GatedCalls& calls, const View& view,
                  const gpu::Location& gpu) {
  const auto rank = [&](std::uint64_t number) {
    return static_cast<int>(number % static_cast<std::uint64_t>(state.size));
  };
  const OperandRanks ranks{.in = rank(calls.trials), .inout = rank(calls.trials + 1)};
  ++calls.trials;
  Operands operands;
  const int error = sample_operands(call, state.rank, ranks, view, gpu, operands);
  if (error == MPI_SUCCESS) call.try_operation(operands);
  return error;
}

/// Why a call is native that the ranks do not all find eligible alike.
Reason why_native(const View& view, Consent consent) {
  if (consent == Consent::unaligned) return Reason::not_aligned;
  if (consent == Consent::other_lengths) return Reason::different_lengths;
  if (view.memory == Memory::mixed) return Reason::different_memories;
  return view.eligible() ? Reason::different_views : view.why;
}

/// `expected`: by PoLA.
int run(const CollectiveCall& call, CommunicatorState& state, GhostWatch& ghosts, const GateKey& key,
        std::uint64_t bytes, bool expected, Reason no_compression) {
  GatedCalls& calls = state.gates[key];
  tuner::AgreementGate& gate = calls.gate;
  if (!gate.open()) return call.run_native();
  const BufferLocation location = locate(call.buffers(), state);
  ghosts.on(location);
  View view = view_of(call, bytes, location.memory, no_compression);
  const bool on_device = on_gpu(location.memory);
  if (!on_device) learn(state);  // prepare_next asks PoLA
  const bool wanted = job().wanted.load(std::memory_order_relaxed);
  const ReadyPlan plan = on_device ? ReadyPlan() : chosen_plan(state, calls);
  const bool as_before = plan.signature != nullptr && wanted && consents(view, plan.view);
  if (expected && can_ask_along(plan) && calls.asking.open()) {
    bool agreed = false;
    const int error = run_ready(call, state, calls, plan, as_before, agreed);
    if (error != MPI_SUCCESS || agreed) return error;
  }
  const bool staged = as_before && stage(call, plan);
  mark_stage(state, telemetry::Stage::agreement);
  Consent consent = Consent::none;
  GpuTurn turn(&state, on_device);
  const bool free = turn.taken() || !on_device;
  std::optional<tuner::SignatureTuner> known;
  Circumstances circumstances;
  const auto agree = [&] {
    known = known_before(call, state, view);
    circumstances = {.recurs = buffers_recur(call, state, view), .known = known ? known->digest() : 0};
    const Stopwatch waiting;
    const int error = agree_on_view(call.communicator(), state, view, wanted && free, circumstances, consent);
    if (error != MPI_SUCCESS) return error;
    if (circumstances.known == 0) known.reset();
    state.waiting_seconds += waiting.seconds();
    publisher().add(telemetry::layout::Counter::agreements, 1);
    return MPI_SUCCESS;
  };
  if (const int error = agree(); error != MPI_SUCCESS) return error;
  if (consent == Consent::undecided) {
    if (const int error = try_operation(call, state, calls, view, location.gpu); error != MPI_SUCCESS) return error;
    view = view_of(call, bytes, location.memory, no_compression);
    if (const int error = agree(); error != MPI_SUCCESS) return error;
  }
  if (consent == Consent::all &&
      staged) {  // as on all ranks: they find of the call what they agreed of the ones before
    gate.useful();
    finish_staged(call, state, plan);
    return MPI_SUCCESS;
  }
  if (consent == Consent::all) {
    return run_eligible(call, state, calls, view, location.gpu, circumstances.recurs, known);
  }
  turn.end();
  calls.agreed.reset();
  if (consent == Consent::lost) {
    forget_gpus(state);
    gate.useful();
    return run_refused(call, state, view, Reason::gpu_reset);
  }
  if (consent == Consent::suspended) {
    gate.useful();  // the next call may be another matter
    return run_refused(call, state, view, Reason::suspended);
  }
  if (imposed_algorithm(state).has_value()) {
    gate.useful();  // every eligible call is to be seen
  } else {
    gate.useless(patience_for(call.kind(), state));
  }
  return run_refused(call, state, view, why_native(view, consent));
}

}  // namespace

int accelerate(const CollectiveCall& call, CommunicatorState& state, std::uint64_t bytes, Reason no_compression) {
  GhostWatch ghosts(state);
  const std::uint64_t arguments = call.equal_arguments();
  const GateKey key{call.kind(), size_bucket(equal_bytes(call.kind(), bytes)), arguments};
  const bool expected = expects(pattern_signature(call.kind(), bytes, arguments), state);
  const ArrivalWatch arrival(state);
  int error = MPI_SUCCESS;
  try {
    error = run(call, state, ghosts, key, bytes, expected, no_compression);
  } catch (...) {
    look_at_pattern(state);  // as the other ranks do
    throw;
  }
  learn(state);
  return error;
}

}  // namespace airamp::pmpi
