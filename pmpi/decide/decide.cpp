// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// The way of a call, all of it the same on every rank; docs/agreement.md has the reasons.
#include "pmpi/decide/decide.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/size_bucket.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/carry_out.hpp"
#include "pmpi/decide/expected_call.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/operand_sample.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/posted_reduction.hpp"
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"
#include "pmpi/decide/watch/arrival_watch.hpp"
#include "pmpi/decide/watch/ghost_watch.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/observed_call.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

using Action = Decision::Action;

/// How long calls that share a gate are asked about in vain.
tuner::Patience patience_for(const Call& call) {
  // The next broadcast may be of another length or memory, and in shared memory the question is cheap.
  return has_own_length(call.collective.kind()) && call.state.resources.meeting() != nullptr
             ? tuner::Patience{.answers = 8}
             : tuner::Patience{};
}

/// Where the gate of an imposed algorithm or of a promised order stays open: every call that it can carry is to be
/// seen.
void back_off(Call& call, bool keep_asking) {
  if (keep_asking) {
    call.gated->gate.keep_asking();
  } else {
    call.gated->gate.back_off(patience_for(call));
  }
}

/// A call that calls before it have a plan for: the agreement goes with its data. Whether all ranks were for it.
Result<bool> try_piggybacked(Call& call, const ReadyPlan& plan, bool consent) {
  const Result<bool> agreed = run_piggybacked(call, plan, consent);
  if (!agreed.ok()) return agreed;
  if (*agreed) {
    call.gated->gate.keep_asking();
    call.gated->asking.keep_asking();
  } else {
    call.gated->asking.back_off();
    ++plan.signature->vetoed_calls;
    call.gated->agreed.reset();
  }
  return agreed;
}

/// Where all ranks are to try an operation: on elements of two of them, which change from trial to trial.
int try_operation(Call& call) {
  const auto ranks = static_cast<std::uint64_t>(call.state.size);
  const std::uint64_t trial = call.gated->trials++;
  const Result<Operands> operands =
      sample_operands(call, {.in = static_cast<int>(trial % ranks), .inout = static_cast<int>((trial + 1) % ranks)});
  if (!operands.ok()) return operands.error();
  call.collective.try_operation(*operands);
  look_at_data(call);
  return MPI_SUCCESS;
}

/// What all ranks agree on, and what they all know of the signature from other communicators.
struct Answer {
  Agreement agreement;
  std::optional<tuner::SignatureTuner> known;
};

/// `knows_length`: all ranks do.
Result<Answer> ask(Call& call, bool wanted, bool knows_length) {
  Answer answer{.agreement = {}, .known = knows_length ? known_before(call) : std::nullopt};
  std::optional<HostMeeting::Patience> patience = patience_in(call.collective, call.state, call.facts.bytes);
  if (patience) patience = learned_patience(*patience, *call.gated, imposed_algorithm(call.state).has_value());
  const Stopwatch waiting;
  const Result<Agreement> agreement = agree_on({.facts = call.facts,
                                                .wanted = wanted,
                                                .recurs = buffers_recur(call),
                                                .any_length = decides_by_longest(call),
                                                .known = answer.known ? answer.known->digest() : 0,
                                                .has_arrived = std::exchange(call.has_arrived, false),
                                                .patience = patience ? &*patience : nullptr},
                                               call.state);
  if (!agreement.ok()) return MpiError{agreement.error()};
  answer.agreement = *agreement;
  if (agreement->known == 0) answer.known.reset();
  if (agreement->managed && call.facts.memory == Memory::device) call.facts.memory = Memory::managed;
  call.state.waiting_seconds += waiting.seconds();
  publisher().add(telemetry::layout::Counter::agreements, 1);
  return answer;
}

/// Whether the order of some call that shares its gate may be promised.
bool may_be_promised(const Call& call) {
  return may_order_be_promised(call.collective.kind(), call.collective.equal_arguments());
}

/// Whether the next call of the gate is to be asked about, though one that all ranks agree on stays native. A promise
/// that cannot be kept needs no more questions; where that of GPU buffers could not be, that of host buffers may.
bool keeps_asking(const Call& call, const SignatureState& signature) {
  if (is_order_promised(call.collective.kind(), call.facts)) return !signature.not_acquired();
  return signature.candidates.is_imposed() ||
         (depends_on_order(call.facts.type, call.facts.op) && may_be_promised(call));
}

/// Why a call is native that the ranks do not all find eligible alike.
Reason why_refused(const LocalFacts& facts, Consent consent) {
  switch (consent) {
    case Consent::unaligned:
      return Reason::not_aligned;
    case Consent::other_lengths:
      return Reason::different_lengths;
    case Consent::lost:
      return Reason::gpu_reset;
    case Consent::suspended:
      return Reason::suspended;
    case Consent::all:
    case Consent::closed:
    case Consent::none:
    case Consent::undecided:
      break;
  }
  if (facts.memory == Memory::mixed) return Reason::different_memories;
  return facts.eligible() ? Reason::different_facts : facts.why;
}

Decision refuse(Call& call, Consent consent) {
  call.turn.end();
  remember_shortcut(call, nullptr, 0);
  call.gated->agreed.reset();
  if (consent == Consent::lost) call.state.forget_gpus();
  if (consent == Consent::suspended) call.state.posts_no_reductions = true;
  if (consent == Consent::closed) {
    pause_agreements(*call.gated);
    return {.action = Action::refuse, .why = Reason::not_together};
  }
  // the next call may be another matter
  const bool passing = consent == Consent::lost || consent == Consent::suspended;
  back_off(call, passing || imposed_algorithm(call.state).has_value() || may_be_promised(call));
  return {.action = Action::refuse, .why = why_refused(call.facts, consent)};
}

/// Where calls of a signature may be posted from the next one on: the ranks look out for those.
void note_posted_reductions(const Call& call, const SignatureState& signature) {
  if (!may_be_posted_reduction(call.collective.kind(), call.bytes, call.state)) return;
  std::uint64_t& shortest = call.state.shortest_posted_reduction;
  const auto is_posted = [](const auto& algorithm) {
    return algorithm != nullptr && algorithm->posted_exchange() != nullptr;
  };
  if (std::ranges::any_of(signature.algorithms, is_posted)) {
    shortest = std::min(shortest, bucket_lower_bound(size_bucket(call.bytes)));
  }
}

/// What the tuner wants to be done with a call that all ranks agree on.
Result<Decision> ask_tuner(Call& call, SignatureState& signature, bool recurs) {
  using Step = tuner::SignatureTuner::Step;
  PostedSignatures* const posted = call.state.posted_by_root.of(call.collective.kind());
  const std::uint64_t deciding_bytes = decides_by_longest(call) ? call.facts.bytes : call.bytes;
  const bool forced = signature.candidates.is_imposed();
  const Step step = forced ? Step::choice : signature.tuner.next();
  const int choice = signature.tuner.choice();
  const bool accelerated = forced || (step == Step::choice && choice != tuner::SignatureTuner::native_choice);
  if (step == Step::measurement || accelerated) {
    if (const int error = acquire(call, signature); error != MPI_SUCCESS) return MpiError{error};
  }
  if (signature.not_acquired() || (step == Step::choice && !accelerated)) {
    if (Shortcut* const known = remember_shortcut(call, nullptr, 0)) known->agreed = true;
    if (posted != nullptr) posted->set(deciding_bytes, {});
    signature.tuner.count_calls(1 + call.gated->gate.skipped());
    back_off(call, keeps_asking(call, signature));
    return Decision{.action = Action::stay_native, .signature = &signature};
  }
  call.gated->gate.keep_asking();
  note_posted_reductions(call, signature);
  if (step == Step::native_alone) return Decision{.action = Action::time_native, .signature = &signature};
  if (step == Step::measurement) return Decision{.action = Action::measure, .signature = &signature};
  const std::size_t candidate = forced ? signature.imposed_choice : static_cast<std::size_t>(choice);
  if (signature.algorithms[candidate] == nullptr) {
    // chosen on another communicator, but not to be had on this one, on all ranks: its ranks begin anew
    signature.tuner = tuner::SignatureTuner(rules_for(call.state, signature_key_of(call)), signature.candidates.size());
    return Decision{.action = Action::stay_native, .signature = &signature};
  }
  if (posted != nullptr && signature.algorithms[candidate]->goes_unasked()) {
    posted->set(deciding_bytes, {.signature = &signature, .candidate = candidate});
  }
  return Decision{.action = Action::accelerate, .signature = &signature, .candidate = candidate, .recurs = recurs};
}

}  // namespace

Result<Decision> decide(Call& call) {
  // Pattern: PoLA looks at every call, if it can while a GPU works.
  const bool expected = expects(call);

  // Gate: some calls go native without a question.
  call.gated = &gated_calls_of(call);
  if (!call.has_arrived) {
    if (!opens(*call.gated)) {
      pass_by(call.state);
      return Decision{};
    }
    const Result<bool> may_be_asked = is_unsynchronized(call.collective.kind())
                                          ? may_unsynchronized_be_asked_about(call.state, *call.gated)
                                          : Result<bool>(true);
    if (!may_be_asked.ok()) return MpiError{may_be_asked.error()};
    if (!*may_be_asked) {
      pass_by(call.state);
      call.facts.bytes = call.bytes;
      remember_shortcut(call, nullptr, 0);
      return Decision{};
    }
  }

  // Agreement: the ranks compare what each knows of its data and its MPI_Pcontrol state.
  ++call.state.looked_at;
  look_at_buffers(call);
  look_at_data(call);
  const bool on_device = on_gpu(call.facts.memory);
  if (!on_device) learn(call.state);  // prepare_next asks PoLA
  const bool wanted = job().wanted.load(std::memory_order_relaxed);
  const ReadyPlan ready = ready_plan(call);  // wherever this rank's buffers lie: the others ask it
  const bool as_before = ready.signature != nullptr && wanted && is_as_before(call, ready);
  if (expected && can_piggyback(ready) && call.gated->asking.open()) {
    const Result<bool> agreed = try_piggybacked(call, ready, as_before);
    if (!agreed.ok()) return MpiError{agreed.error()};
    if (*agreed) return Decision{.action = Action::nothing};
  }
  const bool is_packed = wanted && pack(call);
  const bool has_memory = is_packed && (!as_before || call.staged || stage(call, ready));
  mark_stage(call.state, telemetry::Stage::agreement);
  const bool able = has_memory && (!on_device || call.turn.take());
  Result<Answer> answer = ask(call, able, !decides_by_longest(call));
  if (answer.ok() && answer->agreement.consent == Consent::undecided) {
    if (const int error = try_operation(call); error != MPI_SUCCESS) return MpiError{error};
    answer = ask(call, able, true);
  }
  bool of_another_length = false;
  if (answer.ok() && answer->agreement.consent == Consent::all && decides_by_longest(call)) {
    call.facts.bytes = answer->agreement.bytes;
    const SignatureKey key = signature_key_of(call);
    of_another_length = call.gated->agreed != key;
    if (of_another_length && !call.state.signatures.contains(key)) answer = ask(call, able, true);
  }
  if (!answer.ok()) return MpiError{answer.error()};
  if (answer->agreement.consent != Consent::all) return refuse(call, answer->agreement.consent);
  count_meeting(*call.gated);
  call.state.posts_no_reductions = false;
  call.gated->agreed = signature_key_of(call);
  if (call.staged) {  // as on all ranks: they find of the call what they agreed of the ones before
    const ReadyPlan plan = of_another_length ? ready_plan(call) : ready;
    if (plan.signature != nullptr && plan.algorithm().staged_exchange() != nullptr) {
      call.gated->gate.keep_asking();
      remember_shortcut(call, plan.signature, plan.candidate);
      return Decision{.action = Action::finish_staged, .signature = plan.signature, .candidate = plan.candidate};
    }
    call.staged.reset();  // calls of this length do not go the way of the one before
  }

  // Plan: what the algorithms need is acquired on first sight, on all ranks or on none.
  SignatureState& signature = signature_of(call, answer->known);
  if (signature.failure != MPI_SUCCESS) return MpiError{raise(call.state, signature, signature.failure)};
  ++signature.calls;
  signature.bytes += call.bytes;

  // Tuner: native, measured, or the agreed algorithm; after this no rank can fall back on its own.
  return ask_tuner(call, signature, answer->agreement.recurs);
}

int accelerate(const CollectiveCall& collective, const Admission& admission, std::uint64_t bytes,
               std::optional<CollectiveData> staged) {
  CommunicatorState& state = *admission.state;
  Call call{.collective = collective, .state = state, .bytes = bytes, .no_compression = admission.no_compression};
  call.has_arrived = staged.has_value();
  call.staged = std::move(staged);
  const GhostWatch ghosts(call);
  const ArrivalWatch arrival(state);
  int error = MPI_SUCCESS;
  try {
    const Result<Decision> decision = decide(call);
    error = decision.ok() ? carry_out(call, *decision) : decision.error();
  } catch (...) {
    look_at_pattern(state);  // as the other ranks do
    throw;
  }
  learn(state);
  return error;
}

}  // namespace airamp::pmpi
