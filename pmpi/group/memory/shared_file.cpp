// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/memory/shared_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <new>
#include <string_view>

#include "base/quiet_write.hpp"
#include "core/shared_memory_for_others.hpp"
#include "pmpi/job/memory_room.hpp"

namespace airamp::pmpi::shared_file {
namespace {

/// As of leave_room.
std::atomic<std::uint64_t> bytes_of_messages{0};
std::atomic<int> makers_at_once{1};

constexpr const char* name_without_path = "airamp";
/// As /proc shows it.
constexpr std::string_view shown_without_path = "/memfd:airamp";
/// Part of what it shows of those that have a name: in front of it may stand the root of another container.
constexpr std::string_view shown_with_name = "/dev/shm/airamp-";

/// Whether there is room for `bytes` and for others.
bool has_room(int descriptor, std::size_t bytes) {
  struct statvfs system {};
  if (fstatvfs(descriptor, &system) != 0 || system.f_blocks == 0) return true;  // it does not say
  const std::uint64_t all = std::uint64_t{system.f_blocks} * system.f_frsize;
  const std::uint64_t free = std::uint64_t{system.f_bavail} * system.f_frsize;
  return free >= shared_memory_for_others(all, bytes_of_messages.load(std::memory_order_relaxed)) + bytes;
}

bool allocate(int descriptor, std::size_t bytes) {
  const base::WriteSignalsBlocked blocked;
  return posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) == 0;
}

/// An empty one.
base::FileDescriptor create_empty_without_path() {
  constexpr unsigned without_execution = 8U;  // MFD_NOEXEC_SEAL: Linux 6.3 may be told to allow no other files
  base::FileDescriptor file(memfd_create(name_without_path, MFD_CLOEXEC | without_execution));
  if (file.valid() || errno != EINVAL) return file;
  return base::FileDescriptor(memfd_create(name_without_path, MFD_CLOEXEC));
}

/// Whether `path`, of a descriptor of a process, is of a file that we may have made.
bool may_be_ours(const char* path) {
  std::array<char, 1024> target{};
  const ssize_t length = readlink(path, target.data(), target.size());
  const std::string_view shown(target.data(), static_cast<std::size_t>(std::max(length, ssize_t{0})));
  return shown.starts_with(shown_without_path) || shown.find(shown_with_name) != shown.npos;
}

}  // namespace

void leave_room(std::uint64_t of_messages, int ranks_on_host) noexcept {
  bytes_of_messages.store(of_messages, std::memory_order_relaxed);
  makers_at_once.store(ranks_on_host, std::memory_order_relaxed);
}

base::FileDescriptor create_named(Name& name, std::size_t bytes) noexcept {
  static std::atomic<unsigned> serial{0};
  constexpr int max_attempts = 100;  // a process of the same number that was killed may have left some behind
  base::FileDescriptor file;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    std::snprintf(name.data(), name.size(), "/airamp-%u-%d-%u", static_cast<unsigned>(getuid()),
                  static_cast<int>(getpid()), serial.fetch_add(1));
    file = base::FileDescriptor(shm_open(name.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (file.valid() || errno != EEXIST) break;
  }
  if (file.valid() && has_room(file.get(), bytes) && allocate(file.get(), bytes)) return file;
  if (file.valid()) remove_named(name);
  name.fill(0);
  return base::FileDescriptor();
}

base::FileDescriptor open_named(const Name& name) noexcept {
  return base::FileDescriptor(shm_open(name.data(), O_RDWR | O_CLOEXEC, 0));
}

void remove_named(const Name& name) noexcept { shm_unlink(name.data()); }

bool affords_without_path(std::size_t bytes) noexcept {
  try {
    return memory_room().affords(bytes, static_cast<std::uint64_t>(makers_at_once.load(std::memory_order_relaxed)));
  } catch (const std::bad_alloc&) {
    return false;
  }
}

base::FileDescriptor create_without_path(std::size_t bytes) noexcept {
  base::FileDescriptor file = create_empty_without_path();
  if (!file.valid() || allocate(file.get(), bytes)) return file;
  return base::FileDescriptor();
}

base::FileDescriptor open_of_process(int process, int descriptor) noexcept {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/fd/%d", process, descriptor);
  return base::FileDescriptor(may_be_ours(path.data()) ? open(path.data(), O_RDWR | O_CLOEXEC) : -1);
}

}  // namespace airamp::pmpi::shared_file
