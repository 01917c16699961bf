// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// How much the others of a job have waited for its ranks. Times in seconds.
struct Stragglers {
  struct Rank {
    std::size_t index = 0;        ///< into the snapshots
    double lateness_seconds = 0;  ///< summed over communicators: how much later than expected it entered
    double waiting_seconds = 0;   ///< summed over communicators: for the others
    /// What it costs the job: its lateness; in a job where no lateness was measured, how much less it waited than the
    /// median rank, as whoever comes last waits for nobody.
    double cost_seconds = 0;
    /// Of its calls of `function` and `size`; upper bounds of histogram buckets. NaN: it has none.
    double median = 0;
    double p99 = 0;
    double p999 = 0;
  };

  std::string function;    ///< whose calls took the job most time; empty: no calls
  std::uint64_t size = 0;  ///< lower bound of the size bucket, bytes
  double median_waiting_seconds = 0;
  std::vector<Rank> ranks;  ///< the costliest first
};

/// May throw std::bad_alloc.
Stragglers find_stragglers(const std::vector<RankSnapshot>& ranks);

}  // namespace airamp::telemetry
