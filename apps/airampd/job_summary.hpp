// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::sidecar {

/// A job's ranks on this host, summed up for the status page.
struct JobSummary {
  /// Calls that took one path.
  struct PathUse {
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    std::uint64_t wire_bytes = 0;
    double seconds = 0;
    std::array<std::uint64_t, telemetry::latency_buckets> histogram{};
  };

  std::string name;
  std::string owner;                                   ///< empty where the jobs of one user alone are read
  std::vector<const telemetry::RankSnapshot*> ranks;   ///< by rank; not empty
  std::vector<std::pair<std::string, PathUse>> paths;  ///< most time first
  std::uint64_t calls = 0;
  std::uint64_t accelerated_calls = 0;
  double seconds = 0;  ///< in collectives, of all ranks
  int alive = 0;       ///< ranks known to run
  int unknown = 0;     ///< ranks whose processes cannot be seen from here
  int on = 0;
  /// A decision with the communicator that it is about, the fastest first.
  std::vector<std::pair<const telemetry::RankSnapshot::Communicator*, const telemetry::RankSnapshot::Decision*>>
      decisions;
  std::vector<const telemetry::RankSnapshot::Communicator*> communicators;  ///< one of each, that are in use
};

/// Those first that may still run, then by owner and name. Points into `ranks`.
std::vector<JobSummary> summarize_jobs(const std::vector<telemetry::RankSnapshot>& ranks);

}  // namespace airamp::sidecar
