// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The last moment that a rank's segment tells of, seconds since the Unix epoch. When a process died is not known.
inline double last_sign(const RankSnapshot& rank) {
  double last = std::max(rank.started_seconds, rank.finalized_seconds);
  for (const RankSnapshot::Flight& flight : rank.flights) {
    last = std::max({last, flight.entered_seconds, flight.left_seconds});
  }
  return last;
}

/// Likewise of a job's ranks; 0 without any.
inline double last_sign(const std::vector<RankSnapshot>& ranks) {
  double last = 0;
  for (const RankSnapshot& rank : ranks) last = std::max(last, last_sign(rank));
  return last;
}

}  // namespace airamp::telemetry
