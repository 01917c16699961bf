// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pola/context_index.hpp"
#include "pola/event_history.hpp"

namespace airamp::pola {

/// Finds the period of a sequence while it repeats without exception. One candidate is followed for as long as it
/// holds, then the distance at which the longest context of the latest events came last takes its place. O(1)
/// amortised.
class PeriodDetector {
 public:
  /// Takes the latest event of `history`.
  void observe(const EventHistory& history, const ContextIndex& index);

  /// Smallest period of the latest 2 * period() events or more; 0 if there is none.
  std::size_t period() const { return period_; }

  /// Number of events, up to the latest, that have the period.
  std::size_t periodic_events() const { return period_ == 0 ? 0 : length_ + candidate_; }

 private:
  std::size_t smallest_divisor_period(const EventHistory& history) const;

  std::size_t candidate_ = 0;  ///< 0 is none
  std::size_t length_ = 0;     ///< events up to the latest that equal those a candidate before
  std::size_t period_ = 0;
};

}  // namespace airamp::pola
