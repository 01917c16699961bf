// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The ranks of one job that are on this host.
struct JobOnHost {
  std::string owner;  ///< as RankSnapshot::owner
  std::string name;
  std::vector<const RankSnapshot*> ranks;  ///< by rank, each once; not empty
  bool over = false;                       ///< no rank runs, and none may run that cannot be seen from here
};

/// The jobs that these ranks, in any order, belong to: those first that may still run, then by owner and name. Points
/// into `ranks`. Of two segments that claim one rank, a living process's counts.
std::vector<JobOnHost> jobs_on_host(std::span<const RankSnapshot> ranks);

}  // namespace airamp::telemetry
