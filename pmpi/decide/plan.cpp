// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/plan.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "codec/floating_point_scope.hpp"
#include "pmpi/algorithm/abilities/buffer_bound.hpp"
#include "pmpi/algorithm/acquisition.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/known_tunings.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {
namespace {

bool any_of(const SignatureState& signature) {
  return std::any_of(signature.algorithms.begin(), signature.algorithms.end(),
                     [](const std::unique_ptr<Algorithm>& algorithm) { return algorithm != nullptr; });
}

/// Whether PoLA is of use to what was acquired: agreements along with the data, receives that are posted ahead, kernels
/// that keep a GPU awake. The same on all ranks. Elsewhere its look at every call would be for nothing.
bool gains_by_pattern(const Call& call, const SignatureState& signature) {
  return on_gpu(call.facts.memory) || job().settings.pola_post_receives ||
         std::any_of(signature.algorithms.begin(), signature.algorithms.end(),
                     [](const std::unique_ptr<Algorithm>& algorithm) {
                       return algorithm != nullptr && algorithm->piggybacked_agreement() != nullptr;
                     });
}

/// What is promised of a call's order cannot be kept on its communicator: the report says so, and the log once.
void break_promise(const Call& call, SignatureState& signature) {
  const std::string order(to_string(job().settings.reduction_order));
  signature.why_not_acquired = "reduction_order=" + order + " does not hold: " + signature.why_not_acquired;
  static std::atomic_flag said;
  if (call.state.rank != 0 || said.test_and_set()) return;
  telemetry::log(config::LogLevel::warn, "on a communicator of " + std::to_string(call.state.size) + " ranks " +
                                             signature.why_not_acquired + "; its floating-point sums are native");
}

/// Every cause once, in the order of the candidates.
void append_cause(std::string& causes, const std::string& cause) {
  if (causes.find(cause) != std::string::npos) return;
  causes += (causes.empty() ? "" : "; ") + cause;
}

}  // namespace

std::optional<std::size_t> chosen_candidate(const SignatureState& signature) {
  const bool forced = signature.candidates.is_imposed();
  const int choice = signature.tuner.choice();
  const bool chosen = forced || (signature.tuner.decided() && choice != tuner::SignatureTuner::native_choice);
  if (signature.failure != MPI_SUCCESS || signature.outdated || !signature.acquired || !chosen) return std::nullopt;
  const std::size_t candidate = forced ? signature.imposed_choice : static_cast<std::size_t>(choice);
  if (signature.algorithms[candidate] == nullptr) return std::nullopt;
  return candidate;
}

std::optional<std::size_t> ready_candidate(const SignatureState& signature) {
  const bool forced = signature.candidates.is_imposed();
  const bool is_ready = forced || signature.tuner.next() == tuner::SignatureTuner::Step::choice;
  return is_ready ? chosen_candidate(signature) : std::nullopt;
}

ReadyPlan ready_plan(const Call& call) {
  const std::optional<SignatureKey>& agreed = call.gated->agreed;
  if (!agreed || agreed->memory != Memory::host) return {};
  SignatureKey key = *agreed;
  // of some kinds all lengths share a gate; of others how long a call is comes out in its agreement
  if (!has_blocks_of_any_length(key.kind)) key.bucket = size_bucket(call.bytes);
  const auto found = call.state.signatures.find(key);
  if (found == call.state.signatures.end()) return {};
  const std::optional<std::size_t> candidate = ready_candidate(found->second);
  if (!candidate) return {};
  return {.signature = &found->second,
          .candidate = *candidate,
          .facts = {.lossy = agreed->lossy,
                    .lossless = agreed->lossless,
                    .type = agreed->type,
                    .op = agreed->op,
                    .memory = agreed->memory}};
}

bool is_as_before(const Call& call, const ReadyPlan& plan) {
  return call.facts.lossy == plan.facts.lossy && call.facts.lossless == plan.facts.lossless &&
         call.facts.type == plan.facts.type && call.facts.op == plan.facts.op && call.facts.memory == plan.facts.memory;
}

bool buffers_recur(const Call& call) {
  if (call.collective.kind() != Kind::allreduce || !call.facts.lossy || call.facts.memory != Memory::host) return false;
  const auto found = call.state.signatures.find(signature_key_of(call));
  if (found == call.state.signatures.end()) return false;
  const auto& algorithms = found->second.algorithms;
  // there is one such candidate at most
  return std::any_of(algorithms.begin(), algorithms.end(), [&](const std::unique_ptr<Algorithm>& algorithm) {
    BufferBound* const bound = algorithm != nullptr ? algorithm->buffer_bound() : nullptr;
    return bound != nullptr && bound->recurs(call.collective.data(call.facts));
  });
}

std::optional<tuner::SignatureTuner> known_before(const Call& call) {
  if (!call.facts.eligible()) return std::nullopt;
  const SignatureKey key = signature_key_of(call);
  return call.state.signatures.contains(key) ? std::nullopt : known_tuning(call.state, key);
}

SignatureState& signature_of(const Call& call, const std::optional<tuner::SignatureTuner>& known) {
  CommunicatorState& state = call.state;
  const SignatureKey key = signature_key_of(call);
  const auto found = state.signatures.find(key);
  if (found != state.signatures.end() && !found->second.outdated) return found->second;
  const CandidateList candidates = candidates_for(call.collective.kind(), bucket_upper_bound(key.bucket), call.facts,
                                                  state.size, imposed_algorithm(state));
  if (found == state.signatures.end()) {
    SignatureState& made = state.signatures.try_emplace(key, rules_for(state, key), candidates).first->second;
    if (known) made.start_from(*known);
    return made;
  }
  if (found->second.failure == MPI_SUCCESS) found->second.start_again(rules_for(state, key), candidates);
  return found->second;
}

int acquire(const Call& call, SignatureState& signature) {
  if (signature.acquired) return MPI_SUCCESS;
  std::string causes;
  for (std::size_t i = 0; i < signature.candidates.size(); ++i) {
    if (signature.given_up[i]) continue;
    const AlgorithmId id = signature.candidates[i];
    Acquired acquired = entry_of(id).acquire({.id = id,
                                              .kind = call.collective.kind(),
                                              .facts = call.facts,
                                              .gpu = call.gpu,
                                              .max_bytes = bucket_upper_bound(size_bucket(call.facts.bytes)),
                                              .comm = call.state.comm,
                                              .rank = call.state.rank,
                                              .size = call.state.size,
                                              .resources = call.state.resources,
                                              .tag = signature.tag});
    if (acquired.error != MPI_SUCCESS) return acquired.error;
    signature.algorithms[i] = std::move(acquired.algorithm);
    if (signature.algorithms[i] == nullptr) {
      append_cause(causes, acquired.why_not);
    } else if (signature.candidates.is_imposed()) {  // those behind it are for want of it
      signature.imposed_choice = i;
      break;
    }
  }
  signature.acquired = true;
  if (gains_by_pattern(call, signature)) call.state.looked_at_by_pola = true;
  if (!any_of(signature)) {
    signature.why_not_acquired = causes.empty() ? "no algorithm of AIRamp's carries it" : causes;
    if (is_order_promised(call.collective.kind(), call.facts)) break_promise(call, signature);
  }
  publish_decision(call.state, signature_key_of(call), signature);
  return MPI_SUCCESS;
}

void give_up(SignatureState& signature, std::size_t candidate, std::string_view cause) {
  const codec::FloatingPointScope scope;  // the tuner compares times that are not known
  const std::string why(cause);
  signature.given_up[candidate] = true;
  signature.tuner.give_up(candidate, why);
  signature.algorithms[candidate].reset();
  if (!any_of(signature)) signature.why_not_acquired = why;
}

}  // namespace airamp::pmpi
