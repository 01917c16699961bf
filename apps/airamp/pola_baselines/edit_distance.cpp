// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_baselines/edit_distance.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>

namespace airamp::pola {
namespace {

/// Levenshtein's distance of two sequences of equal length, or something above `bound` if it is above. Only pairs at
/// most `bound` apart matter then (Ukkonen, Information and Control 1985).
std::size_t edit_distance(std::span<const Signature> a, std::span<const Signature> b, std::size_t bound) {
  const std::size_t above = bound + 1;
  std::vector<std::size_t> row(b.size() + 2, above);
  std::iota(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(std::min(above, b.size()) + 1), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > bound ? i - bound : 1;
    const std::size_t last = std::min(b.size(), i + bound);
    std::size_t diagonal = row[first - 1];
    row[first - 1] = first == 1 ? i : above;
    std::size_t least = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({substituted, row[j] + 1, row[j - 1] + 1, above});
      least = std::min(least, row[j]);
    }
    if (least > bound) return above;
  }
  return row[b.size()];
}

}  // namespace

std::optional<Signature> EditDistance::expected() const {
  if (stable_ == 0) return std::nullopt;
  return events_[events_.size() - stable_];
}

std::size_t EditDistance::best_period() const {
  if (events_.size() < history) return 0;
  const std::span<const Signature> known(events_.end() - history, history);
  std::size_t best = 0;
  std::size_t best_distance = max_edits + 1;
  for (std::size_t period = smallest_stable_period; period <= history - window && best_distance > 0; ++period) {
    const std::size_t most = std::min(best_distance, period) - 1;
    const std::size_t distance =
        edit_distance(known.last(window), known.subspan(history - window - period, window), most);
    if (distance > most) continue;
    best = period;
    best_distance = distance;
  }
  return best;
}

void EditDistance::observe(Signature signature) {
  events_.push_back(signature);
  if (events_.size() > 4 * history) events_.erase(events_.begin(), events_.end() - history);
  const std::size_t best = best_period();
  candidate_events_ = best == candidate_ ? candidate_events_ + 1 : 1;
  candidate_ = best;
  events_against_ = best == stable_ ? 0 : events_against_ + 1;
  if (stable_ != 0 && static_cast<double>(events_against_) > unstable_after * static_cast<double>(stable_)) stable_ = 0;
  if (stable_ == 0 && best != 0 && static_cast<double>(candidate_events_) >= stable_after * static_cast<double>(best)) {
    stable_ = best;
    events_against_ = 0;
  }
}

}  // namespace airamp::pola
