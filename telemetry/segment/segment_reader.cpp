// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/segment_reader.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "base/file_descriptor.hpp"
#include "telemetry/segment/folder_entries.hpp"
#include "telemetry/segment/rank_state.hpp"
#include "telemetry/segment/segment_file.hpp"
#include "telemetry/segment/segment_image.hpp"

namespace airamp::telemetry {
namespace {

using base::FileDescriptor;

std::string describe(int error) { return std::generic_category().message(error); }

/// Opens a folder that must be `user`'s alone; an error unless it is not there.
FileDescriptor open_trusted(int parent, const std::string& name, const std::string& path, uid_t user,
                            std::vector<std::string>& errors) {
  FileDescriptor folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) {
    if (errno != ENOENT) errors.push_back(path + ": " + describe(errno));
    return folder;
  }
  const std::string distrust = why_not_trusted(folder.get(), user);
  if (distrust.empty()) return folder;
  errors.push_back(path + ": " + distrust);
  return FileDescriptor();
}

FileDescriptor open_segment(int parent, const std::string& name) {
  return FileDescriptor(openat(parent, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

Decoded decode_copy(const FileDescriptor& file, SegmentImage& image, const Observer& observer) {
  if (std::string error = image.read(file.get()); !error.empty()) return {.snapshot = {}, .error = std::move(error)};
  return decode(image.segment(), observer);
}

Decoded read_open_segment(const FileDescriptor& file, SegmentImage& image, const Observer& observer) {
  if (!file.valid()) return {.snapshot = {}, .error = "cannot be opened: " + describe(errno)};
  Decoded decoded = decode_copy(file, image, observer);
  // Its process may have called MPI_Finalize and ended since the copy was made. What it left does not change any more.
  if (decoded.error.empty() && rank_state(decoded.snapshot) == RankState::gone)
    return decode_copy(file, image, observer);
  return decoded;
}

}  // namespace

JobList list_jobs(const std::string& folder, uid_t user) {
  JobList list;
  const std::string path = user_folder(folder, user);
  const FileDescriptor open_folder = open_trusted(AT_FDCWD, path, path, user, list.errors);
  if (!open_folder.valid()) return list;
  for (const std::string& name : folder_entries(open_folder.get())) {
    if (name != safe_job_name(name)) continue;
    const FileDescriptor job(openat(open_folder.get(), name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (job.valid()) list.jobs.push_back(name);
  }
  return list;
}

JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user) {
  JobSnapshot result;
  const std::string parent_path = user_folder(folder, user);
  const FileDescriptor parent = open_trusted(AT_FDCWD, parent_path, parent_path, user, result.errors);
  if (!parent.valid()) return result;
  const std::string name = safe_job_name(job);
  const std::string path = parent_path + "/" + name;
  const FileDescriptor files = open_trusted(parent.get(), name, path, user, result.errors);
  if (!files.valid()) return result;
  SegmentImage image;
  Observer observer = Observer::here();
  for (const std::string& file : folder_entries(files.get())) {
    const std::optional<int> rank = rank_of_name(file);
    if (!rank) continue;
    observer.now = read_clocks(observer.clock);
    Decoded decoded = read_open_segment(open_segment(files.get(), file), image, observer);
    if (decoded.error.empty() && decoded.snapshot.rank != *rank) {
      decoded.error = "is rank " + std::to_string(decoded.snapshot.rank) + "'s";
    }
    if (decoded.error.empty()) {
      result.ranks.push_back(std::move(decoded.snapshot));
    } else {
      std::string message = path;
      message.append("/").append(file).append(": ").append(decoded.error);
      result.errors.push_back(std::move(message));
    }
  }
  std::sort(result.ranks.begin(), result.ranks.end(),
            [](const RankSnapshot& a, const RankSnapshot& b) { return a.rank < b.rank; });
  return result;
}

JobSnapshot read_job(const std::string& folder, const std::string& job) { return read_job(folder, job, geteuid()); }

Decoded read_segment(const std::string& path, const Observer& observer) {
  SegmentImage image;
  return read_open_segment(open_segment(AT_FDCWD, path), image, observer);
}

}  // namespace airamp::telemetry
