// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_baselines/autocorrelation.hpp"

#include <algorithm>

namespace airamp::pola {

std::optional<Signature> Autocorrelation::expected() const {
  if (period_ == 0) return std::nullopt;
  return events_[events_.size() - period_];
}

void Autocorrelation::observe(Signature signature) {
  events_.push_back(signature);
  const std::size_t last = events_.size() - 1;
  for (std::size_t distance = 1; distance <= std::min(longest_period, last); ++distance) {
    if (events_[last - distance] == signature) ++matches_[distance];
    if (last >= window + distance && events_[last - window] == events_[last - window - distance]) --matches_[distance];
  }
  period_ = 0;
  std::size_t best = 0;
  for (std::size_t distance = 1; distance <= std::min(longest_period, last / 2); ++distance) {
    const std::size_t pairs = std::min(window, events_.size() - distance);
    if (10 * matches_[distance] < 9 * pairs) continue;
    // Shares are compared as of a full window.
    if (const std::size_t share = matches_[distance] * window / pairs; share > best) {
      best = share;
      period_ = distance;
    }
  }
}

}  // namespace airamp::pola
