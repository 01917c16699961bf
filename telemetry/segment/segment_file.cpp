// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/segment_file.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include "base/file_descriptor.hpp"
#include "base/owned_entry.hpp"
#include "telemetry/segment/segment_image.hpp"
#include "telemetry/segment/segment_owner.hpp"

namespace airamp::telemetry {
namespace {

using base::FileDescriptor;

constexpr std::size_t longest_job_name = 64;
constexpr std::string_view user_prefix = "airamp-";
constexpr std::string_view name_prefix = "rank-";
constexpr std::string_view name_suffix = ".segment";

std::string describe(int error) { return std::generic_category().message(error); }

/// Opens a folder of ours, made if it is not there.
FileDescriptor open_folder(int parent, const std::string& name, const std::string& path, std::string& why_not,
                           bool& made) {
  made = mkdirat(parent, name.c_str(), S_IRWXU) == 0;
  if (!made && errno != EEXIST) {
    why_not = "cannot make " + path + ": " + describe(errno);
    return FileDescriptor();
  }
  FileDescriptor folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder.valid()) {
    why_not = "cannot open " + path + ": " + describe(errno);
    return FileDescriptor();
  }
  const std::string distrust = base::why_not_trusted(folder.get(), geteuid());
  if (!distrust.empty()) {
    why_not = path + " " + distrust;
    return FileDescriptor();
  }
  return folder;
}

/// Whether the file of that name is a segment that no running process writes to.
bool left_behind(int folder, const std::string& name) {
  const FileDescriptor file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  layout::Header header;
  if (!file.valid() || !read_header(file.get(), header).empty()) return false;
  const SegmentOwner owner = owner_of(header, own_process_space());
  return owner.observable && !owner.alive;
}

FileDescriptor create_file(int folder, const std::string& name) {
  constexpr int flags = O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC;
  FileDescriptor file(openat(folder, name.c_str(), flags, S_IRUSR | S_IWUSR));
  if (file.valid() || errno != EEXIST) return file;
  if (left_behind(folder, name)) {
    unlinkat(folder, name.c_str(), 0);
    return FileDescriptor(openat(folder, name.c_str(), flags, S_IRUSR | S_IWUSR));
  }
  errno = EEXIST;
  return file;
}

}  // namespace

std::string user_folder(const std::string& folder, uid_t user) {
  return folder + "/" + std::string(user_prefix) + std::to_string(user);
}

std::optional<uid_t> user_of_name(std::string_view name) {
  uid_t user = 0;
  const std::string_view number = name.starts_with(user_prefix) ? name.substr(user_prefix.size()) : "";
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), user);
  if (error != std::errc() || number != std::to_string(user)) return std::nullopt;
  return user;
}

std::string safe_job_name(std::string_view job) {
  std::string name(job.substr(0, longest_job_name));
  for (char& c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (!letter && c != '-' && c != '_' && c != '.') c = '_';
  }
  if (name.empty()) return "job";
  if (name.front() == '.') name.front() = '_';
  return name;
}

std::string segment_name(int rank) {
  return std::string(name_prefix) + std::to_string(rank) + std::string(name_suffix);
}

std::optional<int> rank_of_name(std::string_view name) {
  if (!name.starts_with(name_prefix) || !name.ends_with(name_suffix)) return std::nullopt;
  name.remove_prefix(name_prefix.size());
  if (name.size() <= name_suffix.size()) return std::nullopt;
  name.remove_suffix(name_suffix.size());
  int rank = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), rank);
  if (error != std::errc() || end != name.data() + name.size() || rank < 0) return std::nullopt;
  return rank;
}

SegmentFile create_segment_file(const std::string& folder, const std::string& job, int rank, std::size_t size) {
  SegmentFile file;
  const std::string user_path = user_folder(folder, geteuid());
  const std::string job_path = user_path + "/" + safe_job_name(job);
  const std::string name = segment_name(rank);
  file.path = job_path + "/" + name;
  const FileDescriptor top(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!top.valid()) {
    file.why_not = "cannot open " + folder + ": " + describe(errno);
    return file;
  }
  // Beyond this limit the system would send a signal, which ends the application.
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < size) {
    file.why_not = "files may have only " + std::to_string(limit.rlim_cur) + " bytes here (ulimit -f)";
    return file;
  }
  // Somebody who cleans up may remove a folder that is still empty.
  for (int attempt = 0; attempt < 3; ++attempt) {
    bool made = false;
    const FileDescriptor user =
        open_folder(top.get(), user_path.substr(folder.size() + 1), user_path, file.why_not, made);
    if (!user.valid()) return file;
    const FileDescriptor jobs = open_folder(user.get(), safe_job_name(job), job_path, file.why_not, made);
    if (!jobs.valid()) return file;
    file.first_of_its_job = made;
    file.descriptor = create_file(jobs.get(), name);
    if (!file.descriptor.valid() && errno == ENOENT) continue;
    if (!file.descriptor.valid()) {
      file.why_not = errno == EEXIST ? file.path + " is another running process's"
                                     : "cannot make " + file.path + ": " + describe(errno);
      return file;
    }
    // Memory is set aside now: a full memory file system is an error here and not a SIGBUS later.
    int error = EINTR;
    while (error == EINTR) error = posix_fallocate(file.descriptor.get(), 0, static_cast<off_t>(size));
    if (error != 0) {
      unlinkat(jobs.get(), name.c_str(), 0);
      file.descriptor = FileDescriptor();
      file.why_not = "no room for " + file.path + ": " + describe(error);
    }
    return file;
  }
  file.why_not = file.path + ": its folder disappears";
  return file;
}

}  // namespace airamp::telemetry
