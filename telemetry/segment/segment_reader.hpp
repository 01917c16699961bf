// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "telemetry/segment/segment_decoder.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The jobs of a user that have segments in `folder` ("/dev/shm"), by name.
struct JobList {
  std::vector<std::string> jobs;
  std::vector<std::string> errors;  ///< "FILE: reason"; no folder of that user's is none
};

/// May throw std::bad_alloc. Thread-safe, as all of this file.
JobList list_jobs(const std::string& folder, uid_t user);

/// What the ranks of a job that run or ran on this host have published.
struct JobSnapshot {
  std::vector<RankSnapshot> ranks;  ///< by rank
  std::vector<std::string> errors;  ///< "FILE: reason", one a segment that was skipped
};

/// Reads a job's segments; they are never written to. `job` is a name from `list_jobs`, or what the job was called: it
/// is made safe in the same way. May throw std::bad_alloc.
JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user);

/// The same for the calling user's.
JobSnapshot read_job(const std::string& folder, const std::string& job);

/// Reads one segment.
Decoded read_segment(const std::string& path, const Observer& observer);

}  // namespace airamp::telemetry
