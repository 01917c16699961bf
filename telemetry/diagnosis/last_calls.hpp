// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The collective that a rank has been inside of for longest; nullptr if it is in none.
inline const RankSnapshot::Flight* oldest_unfinished(const RankSnapshot& rank) {
  const auto flight = std::ranges::find(rank.flights, 0.0, &RankSnapshot::Flight::left_seconds);
  return flight == rank.flights.end() ? nullptr : &*flight;
}

/// The collective that a rank has left last; nullptr if it has left none.
inline const RankSnapshot::Flight* last_ended(const RankSnapshot& rank) {
  const auto flight = std::ranges::max_element(rank.flights, {}, &RankSnapshot::Flight::left_seconds);
  return flight == rank.flights.end() || flight->left_seconds == 0 ? nullptr : &*flight;
}

/// How long ago a rank has left its last collective, or started if it has left none; seconds, not negative.
inline double quiet_seconds(const RankSnapshot& rank) {
  const RankSnapshot::Flight* last = last_ended(rank);
  return std::max(0.0, rank.now_seconds - (last == nullptr ? rank.started_seconds : last->left_seconds));
}

}  // namespace airamp::telemetry
