// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/ghost_policy.hpp"

#include <algorithm>
#include <utility>

namespace airamp::pmpi {

GhostPolicy::Place* GhostPolicy::find(std::uint64_t name) {
  Place* const end = places_.data() + known_places_;
  Place* const place = std::find_if(places_.data(), end, [name](const Place& known) { return known.name == name; });
  if (place != end) return place;
  if (known_places_ == max_places) return nullptr;
  ++known_places_;
  *place = {.name = name};
  return place;
}

void GhostPolicy::decide() {
  const auto middle = ratios_.begin() + trial_pairs / 2;
  std::nth_element(ratios_.begin(), middle, ratios_.end());
  median_ratio_ = (*middle + *std::max_element(ratios_.begin(), middle)) / 2;  // of an even number
  verdict_ = median_ratio_ <= 1 - least_gain ? Verdict::on : Verdict::off;
}

void GhostPolicy::record(Place& place, std::int64_t duration_ns) {
  if (place.without_ns == 0) {
    place.without_ns = std::max<std::int64_t>(duration_ns, 1);
    return;
  }
  ratios_[pairs_++] = static_cast<double>(duration_ns) / static_cast<double>(place.without_ns);
  place.without_ns = 0;
  if (pairs_ == trial_pairs) decide();
}

std::optional<std::int64_t> GhostPolicy::end_call(const Call& call) {
  Place* const tried = std::exchange(before_next_, nullptr);
  if (tried != nullptr && call.locked) record(*tried, call.duration_ns);
  if (verdict_ == Verdict::off || !call.locked || !call.expected_ns) return std::nullopt;
  if (*call.expected_ns - call.left_ns < shortest_gap_ns) return std::nullopt;
  const std::int64_t end_ns = std::min(*call.expected_ns - lead_ns, call.left_ns + longest_window_ns);
  if (verdict_ == Verdict::on) return end_ns;
  before_next_ = find(call.place);
  if (before_next_ == nullptr || before_next_->without_ns == 0) return std::nullopt;
  return end_ns;
}

}  // namespace airamp::pmpi
