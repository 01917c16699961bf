// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::sidecar {

/// What the segments said at one moment.
struct Reading {
  std::vector<telemetry::RankSnapshot> ranks;
  std::vector<std::string> errors;  ///< "FILE: reason", one a segment that was skipped
  bool folder_read = true;
};

using ReadJobs = std::function<Reading()>;

/// Ranks read at most; a host runs far fewer.
inline constexpr std::size_t max_ranks = 4096;

/// Reads the segments in `folder` of `user`: those of one job, or of all if `job` is empty.
ReadJobs read_segments(std::string folder, std::string job, uid_t user);

}  // namespace airamp::sidecar
