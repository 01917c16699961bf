// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "base/file_descriptor.hpp"

namespace airamp::telemetry {

/// FOLDER/airamp-UID.
std::string user_folder(const std::string& folder, uid_t user);

/// The user in the name of such a folder; nothing if it is another file's name, or not as user_folder() writes it.
std::optional<uid_t> user_of_name(std::string_view name);

/// `job` with everything but letters, digits and "._-" replaced by "_", at most 64 characters, never empty or hidden.
std::string safe_job_name(std::string_view job);

/// "rank-7.segment".
std::string segment_name(int rank);

/// The rank in a segment's name; nothing if it is another file's name.
std::optional<int> rank_of_name(std::string_view name);

/// A new file for a segment, of its full size and with its memory set aside.
struct SegmentFile {
  base::FileDescriptor descriptor;
  std::string path;
  std::string why_not;            ///< empty, or why there is none
  bool first_of_its_job = false;  ///< the job's folder was not there before
};

/// Makes FOLDER/airamp-UID/JOB/rank-N.segment; folders get mode 0700, the file 0600. A file of that name is replaced if
/// it is a dead process's. May throw std::bad_alloc.
SegmentFile create_segment_file(const std::string& folder, const std::string& job, int rank, std::size_t size);

}  // namespace airamp::telemetry
