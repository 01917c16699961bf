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

constexpr std::size_t max_changes = 64;

/// What PoLA knows a call by: what is equal on all ranks.
pola::Signature pattern_signature(const Call& call) {
  const Kind kind = call.collective.kind();
  return pola::signature_of(static_cast<std::uint32_t>(kind), equal_bytes(kind, call.bytes),
                            call.collective.equal_arguments());
}

void note_change(CommunicatorState& state) {
  const pola::Stream::Counters& counters = state.pola.counters();
  if (state.pattern_changes.size() < max_changes) {
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

bool expects(const Call& call) noexcept {
  CommunicatorState& state = call.state;
  if (!state.looked_at_by_pola || !state.policy.pola.value_or(job().settings.pola)) return false;
  look_at_pattern(state);  // of a call whose error handler jumped away: the other ranks have
  const pola::Signature signature = pattern_signature(call);
  state.lesson = {.progress = PatternLesson::Progress::waiting, .signature = signature, .before = state.pola.state()};
  return state.lesson.before == pola::Stream::State::locked && state.pola.expected() == std::optional(signature);
}

bool recurs(const Call& call) noexcept { return call.state.pola.recurs(pattern_signature(call)); }

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

}  // namespace airamp::pmpi
