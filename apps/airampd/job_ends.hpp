// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::sidecar {

/// Has jobs shown for a while after their end, and no longer: their segments may stay for a day. Not thread-safe.
class JobEnds {
 public:
  static constexpr double shown_seconds = 600;

  /// How long a job is shown after its last sign whose processes cannot be seen.
  static constexpr double unseen_seconds = 24 * 3600;

  /// Removes the ranks of jobs whose time is over. When a killed job ended is known if it was once seen running;
  /// otherwise its last sign counts.
  void remove_ended(std::vector<telemetry::RankSnapshot>& ranks);

 private:
  using Job = std::pair<std::string, std::string>;  ///< owner and name

  std::map<Job, double> seen_running_;  ///< seconds since the Unix epoch, the last time
};

}  // namespace airamp::sidecar
