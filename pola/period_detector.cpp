// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/period_detector.hpp"

namespace airamp::pola {

void PeriodDetector::observe(const EventHistory& history, const ContextIndex& index) {
  const Symbol latest = history.back(1);
  if (candidate_ != 0 && latest != 0 && history.back(1 + candidate_) == latest) {
    ++length_;
    if (period_ == 0 && length_ >= candidate_) period_ = smallest_divisor_period(history);
    return;
  }
  candidate_ = length_ = period_ = 0;
  for (std::size_t i = ContextIndex::orders.size(); i-- > 0 && candidate_ == 0;) {
    const std::size_t order = ContextIndex::orders[i];
    if (index.distance(i) == 0 || history.repeated(index.distance(i), order) < order) continue;
    candidate_ = index.distance(i);
    length_ = order;
  }
}

std::size_t PeriodDetector::smallest_divisor_period(const EventHistory& history) const {
  // The latest 2 * candidate_ events have that period, so a smaller one divides it (Fine, Wilf, 1965).
  const auto repeats_with = [&](std::size_t divisor) {
    for (std::size_t i = 1; i + divisor <= 2 * candidate_; ++i) {
      if (history.back(i) != history.back(i + divisor)) return false;
    }
    return true;
  };
  std::size_t period = candidate_;
  for (std::size_t factor = 2, rest = candidate_; rest > 1; ++factor) {
    for (; rest % factor == 0; rest /= factor) {
      if (repeats_with(period / factor)) period /= factor;
    }
  }
  return period;
}

}  // namespace airamp::pola
