// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/expected_call.hpp"

#include <new>
#include <string>
#include <utility>

#include "pmpi/job/job.hpp"
#include "pmpi/state/publishing.hpp"
#include "telemetry/log.hpp"

namespace airamp::pmpi {

namespace {

constexpr std::size_t most_changes = 64;

void note_change(CommunicatorState& state) {
  const pola::Stream::Counters& counters = state.pola.counters();
  if (state.pattern_changes.size() < most_changes) {
    state.pattern_changes.push_back(
        {.state = pola::name_of(state.pola.state()), .call = counters.events, .seconds = job().since_start.seconds()});
  }
  telemetry::log(config::LogLevel::debug,
                 "the pattern of a communicator of " + std::to_string(state.size) + " ranks is " +
                     pola::name_of(state.pola.state()) + " at call " + std::to_string(counters.events) + ", period " +
                     std::to_string(state.pola.period()) + ", hits " + std::to_string(counters.hits) + ", misses " +
                     std::to_string(counters.misses));
}

}  // namespace

bool expects(pola::Signature signature, CommunicatorState& state) noexcept {
  // nothing is ever prepared on a communicator none of whose calls the ranks found worth accelerating
  if (state.signatures.empty() || !state.policy.pola.value_or(job().settings.pola)) return false;
  look_at_pattern(state);  // of a call whose error handler jumped away: the other ranks have
  state.lesson = {.progress = PatternLesson::Progress::waiting, .signature = signature, .before = state.pola.state()};
  return state.lesson.before == pola::Stream::State::locked && state.pola.expected() == std::optional(signature);
}

void look_at_pattern(CommunicatorState& state) noexcept {
  PatternLesson& lesson = state.lesson;
  if (lesson.progress != PatternLesson::Progress::waiting) return;
  const bool learned = state.pola.observe(lesson.signature);
  lesson.progress = learned ? PatternLesson::Progress::learned : PatternLesson::Progress::failed;
  publish_pattern(state);
}

void learn(CommunicatorState& state) {
  look_at_pattern(state);
  const PatternLesson lesson = std::exchange(state.lesson, {});
  // the others would go on expecting calls
  if (lesson.progress == PatternLesson::Progress::failed) throw std::bad_alloc();
  if (lesson.progress == PatternLesson::Progress::learned && state.pola.state() != lesson.before) note_change(state);
}

ReadyPlan chosen_plan(CommunicatorState& state, const GatedCalls& calls) {
  if (!calls.agreed || calls.agreed->memory != Memory::host) return {};
  const auto found = state.signatures.find(*calls.agreed);
  if (found == state.signatures.end()) return {};
  SignatureState& signature = found->second;
  const tuner::SignatureTuner& tuner = signature.tuner;
  const bool forced = signature.candidates.is_imposed();
  const bool chosen = forced || (tuner.next() == tuner::SignatureTuner::Step::choice &&
                                 tuner.choice() != tuner::SignatureTuner::native_choice);
  if (signature.failure != MPI_SUCCESS || signature.outdated || !signature.acquired || !chosen) return {};
  const std::size_t candidate = forced ? 0 : static_cast<std::size_t>(tuner.choice());
  if (signature.algorithms[candidate] == nullptr) return {};
  const SignatureKey& key = *calls.agreed;
  return {.signature = &signature,
          .candidate = candidate,
          .view = {.lossy = key.lossy, .lossless = key.lossless, .type = key.type, .op = key.op, .memory = key.memory}};
}

bool can_ask_along(const ReadyPlan& plan) {
  return plan.signature != nullptr && job().settings.pola_ask_along &&
         plan.signature->algorithms[plan.candidate]->piggybacked_agreement() != nullptr;
}

bool consents(const View& own, const View& agreed) {
  return own.lossy == agreed.lossy && own.lossless == agreed.lossless && own.type == agreed.type &&
         own.op == agreed.op && own.memory == agreed.memory;
}

}  // namespace airamp::pmpi
