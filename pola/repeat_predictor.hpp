// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "pola/context_index.hpp"
#include "pola/event_history.hpp"
#include "pola/prediction.hpp"

namespace airamp::pola {

/// Follows the place in the past that the latest events repeat, for as long as they do, and predicts what came next
/// there: the match model of the PAQ compressors (Mahoney, Florida Tech. report CS-2005-16).
class RepeatPredictor {
 public:
  /// Learns that `symbol` came at the end of `history`, which does not hold it yet.
  void learn(const EventHistory& history, Symbol symbol);

  /// Predicts what comes after `history`, to which the learnt symbol has been added.
  Prediction predict(const EventHistory& history, const ContextIndex& index);

 private:
  static constexpr std::size_t longest_comparison = 32;
  static constexpr std::size_t max_failures = 2;
  static constexpr std::size_t settled_length = 16;  ///< from there on, no longer repetition is looked for
  static constexpr std::size_t length_kinds = 12;

  std::size_t kind() const;

  std::size_t distance_ = 0;  ///< how far back the repeated events are; 0 is none
  std::size_t length_ = 0;    ///< events up to the latest that are repeated, as far as known
  std::size_t failures_ = 0;  ///< repetitions that ended of late
  /// By number of failures, and by length in powers of two.
  std::array<Reliability, (max_failures + 1) * length_kinds> reliability_{};
};

}  // namespace airamp::pola
