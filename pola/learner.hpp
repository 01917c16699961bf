// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "pola/context_index.hpp"
#include "pola/context_predictor.hpp"
#include "pola/event_history.hpp"
#include "pola/lock_evidence.hpp"
#include "pola/period_detector.hpp"
#include "pola/prediction.hpp"
#include "pola/repeat_predictor.hpp"
#include "pola/symbol_table.hpp"

namespace airamp::pola {

/// All that a stream has learnt: the parts of Stream that need memory.
class Learner {
 public:
  /// Makes room for one more event. False without memory; what was learnt stays.
  bool reserve() {
    return symbols.reserve() && history.reserve() && contexts.reserve() && index.reserve(history) &&
           evidence.reserve(symbols.room());
  }

  /// Learns an event for which there is room. Returns whether it was the expected one.
  bool learn(Signature signature) {
    const Symbol symbol = symbols.find_or_add(signature);
    const bool hit = symbol != 0 && expected == symbol;
    outcomes = outcomes << 1 | (hit ? 1U : 0U);
    confidence.count(hit);
    evidence.weigh(history, symbol, hit);
    contexts.learn(symbol);
    repeats.learn(history, symbol);
    history.push(symbol);
    index.update(history);
    periods.observe(history, index);
    const Prediction by_contexts = contexts.predict(history);
    const Prediction by_repeat = repeats.predict(history, index);
    expected = by_repeat.reliability >= by_contexts.reliability ? by_repeat.symbol : by_contexts.symbol;
    return hit;
  }

  /// Right ones of the latest `count` predictions; `count` is at most 64.
  std::size_t hits_of_latest(std::size_t count) const {
    return static_cast<std::size_t>(std::popcount(outcomes << (64 - count)));
  }

  SymbolTable symbols;
  EventHistory history;
  ContextPredictor contexts;
  ContextIndex index;
  RepeatPredictor repeats;
  PeriodDetector periods;
  LockEvidence evidence;
  Reliability confidence;
  std::uint64_t outcomes = 0;  ///< a bit for each of the latest predictions, the latest lowest: whether it was right
  Symbol expected = 0;
};

}  // namespace airamp::pola
