// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Upper bound of the bucket that holds a quantile (0 to 1) of the calls in a histogram, in seconds: the true one is
/// at most a factor of two below. NaN if there are no calls, infinity if it lies in the last bucket.
inline double quantile(const std::array<std::uint64_t, latency_buckets>& histogram, double share) {
  const std::uint64_t calls = std::accumulate(histogram.begin(), histogram.end(), std::uint64_t{0});
  if (calls == 0) return std::numeric_limits<double>::quiet_NaN();
  const double wanted = std::ceil(share * static_cast<double>(calls));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket + 1 < latency_buckets; ++bucket) {
    seen += histogram[bucket];
    if (seen != 0 && static_cast<double>(seen) >= wanted) return latency_bound(bucket);
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace airamp::telemetry
