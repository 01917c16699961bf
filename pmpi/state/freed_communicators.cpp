// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/freed_communicators.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "pmpi/state/report_data.hpp"

namespace airamp::pmpi {
namespace {

/// Different decisions on a signature whose figures are kept; others are left out of the report.
constexpr std::size_t max_states = 16;
/// Communicators whose patterns are kept, some 200 bytes each.
constexpr std::size_t max_patterns = 1024;

/// Whether their calls take the same way. Takes no memory, and computes nothing that may trap in the application's
/// name.
bool decided_alike(const SignatureState& a, const SignatureState& b) {
  return a.failure == b.failure && a.why_not_acquired == b.why_not_acquired &&
         std::equal(a.candidates.begin(), a.candidates.end(), b.candidates.begin(), b.candidates.end()) &&
         a.candidates.why_imposed() == b.candidates.why_imposed() && a.imposed_choice == b.imposed_choice &&
         a.tuner.decided() == b.tuner.decided() && a.tuner.choice() == b.tuner.choice();
}

/// Times and errors are those of the later one: it went on from what was known.
void add_up(SignatureState& sum, SignatureState& later) {
  sum.calls += later.calls;
  sum.bytes += later.bytes;
  sum.accelerated_calls += later.accelerated_calls;
  sum.piggybacked_calls += later.piggybacked_calls;
  sum.vetoed_calls += later.vetoed_calls;
  sum.tuning_calls += later.tuning_calls;
  sum.tuning_seconds += later.tuning_seconds;
  sum.tuner = std::move(later.tuner);
  if (!later.native_seconds.empty()) sum.native_seconds = later.native_seconds;
  if (!later.airamp_seconds.empty()) sum.airamp_seconds = later.airamp_seconds;
}

/// Moves to `sum` what can be added up there.
void absorb(CommunicatorState& sum, CommunicatorState& later) {
  sum.close_calls.add(std::exchange(later.close_calls, {}));
  sum.signatures.merge(later.signatures);
  for (auto rest = later.signatures.begin(); rest != later.signatures.end();) {
    SignatureState& known = sum.signatures.find(rest->first)->second;
    const bool alike = decided_alike(known, rest->second);
    if (alike) add_up(known, rest->second);
    rest = alike ? later.signatures.erase(rest) : std::next(rest);
  }
  sum.refusals.merge(later.refusals);
  for (const auto& [key, calls] : later.refusals) {
    NativeCalls& known = sum.refusals.find(key)->second;
    known.calls += calls.calls;
    known.bytes += calls.bytes;
  }
  later.refusals.clear();
}

bool has_figures(const CommunicatorState& state) { return !state.signatures.empty() || !state.refusals.empty(); }

/// What only calls on it needed.
void shed(CommunicatorState& state) {
  state.shortcuts.reset();
  state.ghosts.reset();
  state.latest_gate = nullptr;
  state.gates.clear();
}

}  // namespace

void FreedCommunicators::add(CommunicatorStates& live, CommunicatorStates::iterator place) noexcept {
  CommunicatorState& freed = **place;
  if (has_figures(freed)) keep_pattern(freed);
  for (const auto& state : states_) {
    if (has_figures(freed)) absorb(*state, freed);
  }
  if (has_figures(freed) && states_.size() < max_states) {
    shed(freed);
    states_.splice(states_.end(), live, place);
  } else {
    live.erase(place);
  }
}

void FreedCommunicators::keep_pattern(const CommunicatorState& state) noexcept {
  if (patterns_.size() == max_patterns || state.pola.counters().events == 0) return;
  try {
    patterns_.push_back(describe_pattern("freed communicators", state));
  } catch (const std::bad_alloc&) {  // the report does without it
  }
}

}  // namespace airamp::pmpi
