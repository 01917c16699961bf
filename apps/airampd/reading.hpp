// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::sidecar {

/// What the segments said at one moment, of jobs that run or ended not long ago.
struct Reading {
  std::vector<telemetry::RankSnapshot> ranks;
  std::vector<std::string> errors;  ///< "FILE: reason", one a segment that was skipped
  bool folder_read = true;
};

using ReadJobs = std::function<Reading()>;

/// Ranks read at most of the jobs of one user; a host runs far fewer.
inline constexpr std::size_t max_ranks = 4096;

/// Reads the segments in `folder` of `user`: those of one job, or of all if `job` is empty. Now and then it removes
/// what jobs have left that ended a while ago.
ReadJobs read_segments(std::string folder, std::string job, uid_t user);

// Of all users, of whom any may have put there what no rank has published, to be read in another's place or to be too
// much:

/// Jobs shown of one user, those first that may still run.
inline constexpr std::size_t max_jobs_of_user = 64;

/// Names in folders that are looked at of one user's.
inline constexpr std::size_t max_names_of_user = 16384;

/// Memory for what all users' ranks have published. They share it evenly.
inline constexpr std::size_t max_bytes = std::size_t{256} << 20U;

/// Reads the segments in `folder` of all users, as far as the process may, with the user's name as their owner. Removes
/// nothing.
ReadJobs read_segments_of_all(std::string folder);

/// Whether this process may read files that only their owners may read: capabilities(7), CAP_DAC_READ_SEARCH or
/// CAP_DAC_OVERRIDE.
bool may_read_files_of_all();

}  // namespace airamp::sidecar
