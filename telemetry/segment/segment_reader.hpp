// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

#include "telemetry/segment/segment_decoder.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// How much may still be read of what one user has put there, who may have put more than is good.
struct ReadingBudget {
  std::size_t names = std::size_t{1} << 20U;  ///< in folders
  std::size_t bytes = std::size_t{1} << 30U;  ///< of snapshots, as far as they can be counted
};

/// The users that have a folder of their own for segments in `folder` ("/dev/shm").
struct UserList {
  std::vector<uid_t> users;         ///< by number
  std::vector<std::string> errors;  ///< "FILE: reason", of folders that bear a user's name and are not that user's; few
};

/// However much others have put into `folder`. May throw std::bad_alloc.
UserList list_users(const std::string& folder);

/// The jobs of a user that have segments in `folder`, by name.
struct JobList {
  std::vector<std::string> jobs;
  std::vector<std::string> errors;  ///< "FILE: reason"; no folder of that user's is none
};

/// May throw std::bad_alloc. Thread-safe, as all of this file.
JobList list_jobs(const std::string& folder, uid_t user, ReadingBudget& budget);
JobList list_jobs(const std::string& folder, uid_t user);

/// What the ranks of a job that run or ran on this host have published.
struct JobSnapshot {
  std::vector<RankSnapshot> ranks;  ///< by rank
  std::vector<std::string> errors;  ///< "FILE: reason", one a segment that was skipped
};

/// Reads a job's segments; they are never written to. `job` is a name from `list_jobs`, or what the job was called: it
/// is made safe in the same way. Only what is `user`'s own is read: whoever has more rights may call this for a user
/// who has put other things there. What is above the budget is left out, with an error. May throw std::bad_alloc.
JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user, ReadingBudget& budget);
JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user);

/// The same for the calling user's.
JobSnapshot read_job(const std::string& folder, const std::string& job);

/// Reads one segment.
Decoded read_segment(const std::string& path, const Observer& observer);

}  // namespace airamp::telemetry
