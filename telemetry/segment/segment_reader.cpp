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
#include "base/owned_entry.hpp"
#include "telemetry/segment/folder_entries.hpp"
#include "telemetry/segment/rank_state.hpp"
#include "telemetry/segment/segment_file.hpp"
#include "telemetry/segment/segment_image.hpp"

namespace airamp::telemetry {
namespace {

using base::FileDescriptor;

/// An open folder that is `user`'s alone; none, and an error unless it is not there.
FileDescriptor open_folder(int parent, const std::string& name, const std::string& path, uid_t user,
                           std::vector<std::string>& errors) {
  base::OwnedEntry folder = base::open_owned_folder(parent, name, user);
  if (!folder.descriptor.valid() && !folder.missing) errors.push_back(path + ": " + folder.why_not);
  return std::move(folder.descriptor);
}

FileDescriptor open_user_folder(const std::string& folder, uid_t user, std::vector<std::string>& errors) {
  const FileDescriptor top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top.valid()) {
    if (errno != ENOENT) errors.push_back(folder + ": " + std::generic_category().message(errno));
    return FileDescriptor();
  }
  const std::string path = user_folder(folder, user);
  return open_folder(top.get(), path.substr(folder.size() + 1), path, user, errors);
}

/// The names in a folder, as far as the budget reaches.
std::vector<std::string> names_in(const FileDescriptor& folder, const std::string& path, ReadingBudget& budget,
                                  std::vector<std::string>& errors) {
  std::vector<std::string> names = folder_entries(folder.get(), budget.names + 1);
  if (names.size() > budget.names) {
    names.resize(budget.names);
    errors.push_back(path + ": too many names; some are left out");
  }
  budget.names -= names.size();
  return names;
}

std::size_t bytes_of(const RankSnapshot& rank) {
  return sizeof rank + rank.communicators.size() * sizeof(RankSnapshot::Communicator) +
         rank.traffic.size() * sizeof(RankSnapshot::Traffic) + rank.decisions.size() * sizeof(RankSnapshot::Decision) +
         rank.flights.size() * sizeof(RankSnapshot::Flight);
}

Decoded decode_copy(const FileDescriptor& file, SegmentImage& image, const Observer& observer) {
  if (std::string error = image.read(file.get()); !error.empty()) return {.snapshot = {}, .error = std::move(error)};
  return decode(image.segment(), observer);
}

Decoded read_open_segment(const FileDescriptor& file, SegmentImage& image, const Observer& observer) {
  Decoded decoded = decode_copy(file, image, observer);
  // Its process may have called MPI_Finalize and ended since the copy was made. What it left does not change any more.
  if (decoded.error.empty() && rank_state(decoded.snapshot) == RankState::gone)
    return decode_copy(file, image, observer);
  return decoded;
}

}  // namespace

UserList list_users(const std::string& folder) {
  constexpr std::size_t most_errors = 16;
  UserList list;
  const FileDescriptor top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top.valid()) return list;
  visit_entries(top.get(), [&](const char* name) {
    const std::optional<uid_t> user = user_of_name(name);
    if (!user) return true;
    const base::OwnedEntry entry = base::open_owned_folder(top.get(), name, *user);
    if (entry.descriptor.valid()) {
      list.users.push_back(*user);
    } else if (!entry.missing && list.errors.size() < most_errors) {
      list.errors.push_back(user_folder(folder, *user) + ": " + entry.why_not);
    }
    return true;
  });
  std::sort(list.users.begin(), list.users.end());
  return list;
}

JobList list_jobs(const std::string& folder, uid_t user, ReadingBudget& budget) {
  JobList list;
  const FileDescriptor open_folder = open_user_folder(folder, user, list.errors);
  if (!open_folder.valid()) return list;
  for (const std::string& name : names_in(open_folder, user_folder(folder, user), budget, list.errors)) {
    if (name != safe_job_name(name)) continue;
    if (base::open_owned_folder(open_folder.get(), name, user).descriptor.valid()) list.jobs.push_back(name);
  }
  return list;
}

JobList list_jobs(const std::string& folder, uid_t user) {
  ReadingBudget budget;
  return list_jobs(folder, user, budget);
}

JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user, ReadingBudget& budget) {
  JobSnapshot result;
  const FileDescriptor parent = open_user_folder(folder, user, result.errors);
  if (!parent.valid()) return result;
  const std::string name = safe_job_name(job);
  const std::string path = user_folder(folder, user) + "/" + name;
  const FileDescriptor files = open_folder(parent.get(), name, path, user, result.errors);
  if (!files.valid()) return result;
  SegmentImage image;
  Observer observer = Observer::here();
  for (const std::string& file_name : names_in(files, path, budget, result.errors)) {
    const std::optional<int> rank = rank_of_name(file_name);
    if (!rank) continue;
    const base::OwnedEntry file = base::open_owned_file(files.get(), file_name, user);
    // A job that begins or ends makes and removes segments meanwhile.
    if (file.missing) continue;
    observer.now = read_clocks(observer.clock);
    Decoded decoded = file.descriptor.valid() ? read_open_segment(file.descriptor, image, observer)
                                              : Decoded{.snapshot = {}, .error = file.why_not};
    if (decoded.error.empty() && decoded.snapshot.rank != *rank) {
      decoded.error = "is rank " + std::to_string(decoded.snapshot.rank) + "'s";
    }
    if (decoded.error.empty() && bytes_of(decoded.snapshot) > budget.bytes) {
      decoded.error = "is more than can be kept of one user's";
    }
    if (decoded.error.empty()) {
      budget.bytes -= bytes_of(decoded.snapshot);
      result.ranks.push_back(std::move(decoded.snapshot));
    } else {
      std::string message = path;
      message.append("/").append(file_name).append(": ").append(decoded.error);
      result.errors.push_back(std::move(message));
    }
  }
  std::sort(result.ranks.begin(), result.ranks.end(),
            [](const RankSnapshot& a, const RankSnapshot& b) { return a.rank < b.rank; });
  return result;
}

JobSnapshot read_job(const std::string& folder, const std::string& job, uid_t user) {
  ReadingBudget budget;
  return read_job(folder, job, user, budget);
}

JobSnapshot read_job(const std::string& folder, const std::string& job) { return read_job(folder, job, geteuid()); }

Decoded read_segment(const std::string& path, const Observer& observer) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) return {.snapshot = {}, .error = "cannot be opened: " + std::generic_category().message(errno)};
  SegmentImage image;
  return read_open_segment(file, image, observer);
}

}  // namespace airamp::telemetry
