// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/owned_entry.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/file_start.hpp"

namespace airamp::base {
namespace {

OwnedEntry none(std::string why_not) { return {.descriptor = FileDescriptor(), .why_not = std::move(why_not)}; }

OwnedEntry failed() {
  const int error = errno;
  OwnedEntry entry = none("cannot be opened: " + std::generic_category().message(error));
  entry.missing = error == ENOENT;
  return entry;
}

/// The number of the mount that an open entry lies in; 0 if it cannot be found out. This asks no file system.
std::uint64_t mount_of(int descriptor) {
#ifdef STATX_MNT_ID
  struct statx status {};
  const bool known = statx(descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_MNT_ID, &status) == 0;
  if (known && (status.stx_mask & STATX_MNT_ID) != 0) return status.stx_mnt_id;
#endif
  // Before Linux 5.8.
  const auto text = read_start<256>(("/proc/self/fdinfo/" + std::to_string(descriptor)).c_str());
  constexpr std::string_view label = "\nmnt_id:";
  const char* found = std::strstr(text.data(), label.data());
  return found == nullptr ? 0 : std::strtoull(found + label.size(), nullptr, 10);
}

/// Why an entry is not to be used, or empty.
std::string distrust(int parent, int entry, mode_t type, uid_t user) {
  const std::uint64_t mount = mount_of(entry);
  if (mount == 0 || mount != mount_of(parent)) return "is not in its folder's file system";
  struct stat status {};
  if (fstat(entry, &status) == 0 && (status.st_mode & S_IFMT) != type) {
    return type == S_IFDIR ? "is not a folder" : "is not a file";
  }
  return why_not_trusted(entry, user);
}

OwnedEntry open_owned(int parent, const std::string& name, mode_t type, uid_t user) {
  // This names the entry without opening it.
  const FileDescriptor place(openat(parent, name.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
  if (!place.valid()) return failed();
  if (std::string why_not = distrust(parent, place.get(), type, user); !why_not.empty())
    return none(std::move(why_not));
  OwnedEntry entry{.descriptor = FileDescriptor(open(("/proc/self/fd/" + std::to_string(place.get())).c_str(),
                                                     O_RDONLY | O_NONBLOCK | O_CLOEXEC))};
  return entry.descriptor.valid() ? std::move(entry) : failed();
}

}  // namespace

std::string why_not_trusted(int descriptor, uid_t user) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0) return "cannot be looked at: " + std::generic_category().message(errno);
  if (status.st_uid != user) return "belongs to user " + std::to_string(status.st_uid);
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "can be written by other users";
  return {};
}

OwnedEntry open_owned_folder(int parent, const std::string& name, uid_t user) {
  return open_owned(parent, name, S_IFDIR, user);
}

OwnedEntry open_owned_file(int parent, const std::string& name, uid_t user) {
  return open_owned(parent, name, S_IFREG, user);
}

}  // namespace airamp::base
