// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/shared_segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <new>
#include <span>
#include <string_view>

#include "base/fibonacci_hash.hpp"
#include "base/quiet_write.hpp"
#include "core/shared_memory_for_others.hpp"
#include "pmpi/job/memory_room.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

using Name = std::array<char, 64>;

/// What lies before the data, which begin on a pair of cache lines: the token of the rank that made the segment.
constexpr std::size_t header_bytes = 128;

/// As of leave_room.
std::atomic<std::uint64_t> bytes_of_messages{0};
std::atomic<int> makers_at_once{1};

/// Whether there is room for `bytes` and for others.
bool has_room(int descriptor, std::size_t bytes) {
  struct statvfs system {};
  if (fstatvfs(descriptor, &system) != 0 || system.f_blocks == 0) return true;  // it does not say
  const std::uint64_t all = std::uint64_t{system.f_blocks} * system.f_frsize;
  const std::uint64_t free = std::uint64_t{system.f_bavail} * system.f_frsize;
  return free >= shared_memory_for_others(all, bytes_of_messages.load(std::memory_order_relaxed)) + bytes;
}

/// The name of a new shared-memory object of ours, and its descriptor; empty and -1 if it cannot be made.
int create_named(Name& name, std::size_t bytes) {
  static std::atomic<unsigned> serial{0};
  constexpr int max_attempts = 100;  // a process of the same number that was killed may have left some behind
  int descriptor = -1;
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    std::snprintf(name.data(), name.size(), "/airamp-%u-%d-%u", static_cast<unsigned>(getuid()),
                  static_cast<int>(getpid()), serial.fetch_add(1));
    descriptor = shm_open(name.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor >= 0 || errno != EEXIST) break;
  }
  const base::WriteSignalsBlocked blocked;
  // allocated now: memory that is not there would kill whoever writes to it
  if (descriptor >= 0 &&
      (!has_room(descriptor, bytes) || posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) != 0)) {
    ::close(descriptor);
    shm_unlink(name.data());
    descriptor = -1;
  }
  if (descriptor < 0) name.fill(0);
  return descriptor;
}

std::atomic<std::uint64_t>& token_in(std::byte* data) {
  return *reinterpret_cast<std::atomic<std::uint64_t>*>(data - header_bytes);
}

/// Random enough to tell an object of this process from one of the same name or number on another host.
std::uint64_t new_token() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
  return base::fibonacci_hash(static_cast<std::uint64_t>(now)) ^ static_cast<unsigned>(getpid());
}

/// What a maker says to the others: nothing but zeros if it has no memory.
struct Offer {
  Name name;  ///< empty for memory without one
  SharedSegment::Invitation invitation;
};

/// Has every rank know what its maker says. Collective; returns an MPI error code.
int spread(const Sharers& sharers, Offer& offer) {
  const std::span<const int> makers = sharers.makers.empty() ? std::span(&sharers.maker, 1) : sharers.makers;
  const Offer own = offer;
  for (const int maker : makers) {
    Offer said = own;
    const int error = native().MPI_Bcast(&said, sizeof said, MPI_BYTE, maker, sharers.comm);
    if (error != MPI_SUCCESS) return error;
    if (maker == sharers.maker) offer = said;
  }
  return MPI_SUCCESS;
}

/// Whether there is memory for what no file system bounds: who takes more than its control group has is killed.
bool is_affordable(std::size_t bytes) {
  try {
    return memory_room().affords(bytes, static_cast<std::uint64_t>(makers_at_once.load(std::memory_order_relaxed)));
  } catch (const std::bad_alloc&) {
    return false;
  }
}

constexpr std::size_t page_bytes = 4096;

/// Which page of so many bytes this process maps first. Processes that map the same pages at the same moment wait for
/// each other at every one: 32 take 20 ms for 12 MiB then, and 2 if each begins elsewhere.
std::size_t first_page(std::size_t bytes) {
  const std::uint64_t part = base::fibonacci_hash(static_cast<std::uint32_t>(getpid())) >> 32U;  // of 2^32
  return static_cast<std::size_t>(part * (bytes / page_bytes) >> 32U) * page_bytes;
}

/// All pages of a mapping of allocated memory.
void map_pages(std::byte* memory, std::size_t bytes) {
#ifdef MADV_POPULATE_WRITE
  if (madvise(memory, bytes, MADV_POPULATE_WRITE) == 0) return;
#endif
  for (std::size_t at = 0; at < bytes; at += page_bytes) *const_cast<volatile std::byte*>(memory + at);
}

/// What `create` calls its files, which have no path.
constexpr const char* file_name = "airamp";
/// As /proc shows them.
constexpr std::string_view shown_without_path = "/memfd:airamp";
/// Part of what it shows of those that have a name: in front of it may stand the root of another container.
constexpr std::string_view shown_with_name = "/dev/shm/airamp-";

/// A new one; -1 if it cannot be made.
int create_without_path() {
  constexpr unsigned without_execution = 8U;  // MFD_NOEXEC_SEAL: Linux 6.3 may be told to allow no other files
  const int descriptor = memfd_create(file_name, MFD_CLOEXEC | without_execution);
  if (descriptor >= 0 || errno != EINVAL) return descriptor;
  return memfd_create(file_name, MFD_CLOEXEC);
}

/// Whether `path`, of a descriptor of a process, is of a file that we may have made.
bool may_be_ours(const char* path) {
  std::array<char, 1024> target{};
  const ssize_t length = readlink(path, target.data(), target.size());
  const std::string_view shown(target.data(), static_cast<std::size_t>(std::max(length, ssize_t{0})));
  return shown.starts_with(shown_without_path) || shown.find(shown_with_name) != shown.npos;
}

}  // namespace

void SharedSegment::leave_room(std::uint64_t of_messages, int ranks_on_host) noexcept {
  bytes_of_messages.store(of_messages, std::memory_order_relaxed);
  makers_at_once.store(ranks_on_host, std::memory_order_relaxed);
}

Result<bool> SharedSegment::open(const Sharers& sharers, std::size_t bytes, const std::function<bool()>& prepare) {
  const MPI_Comm comm = sharers.comm;
  const bool makes = sharers.rank == sharers.maker;
  Offer offer{};
  const auto has_name = [&] { return offer.name[0] != '\0'; };
  const std::size_t all_bytes = header_bytes + bytes;
  if (makes) {
    descriptor_ = create_named(offer.name, all_bytes);
    if (has_name()) {
      offer.invitation = own_invitation(new_token());
      map_new(all_bytes, offer.invitation.token);
    } else if (is_affordable(all_bytes)) {
      create(bytes, offer.invitation);
    }
  }
  const int error = spread(sharers, offer);
  if (error == MPI_SUCCESS && !makes) {
    const bool joined =
        has_name() && join_file(shm_open(offer.name.data(), O_RDWR | O_CLOEXEC, 0), bytes, offer.invitation.token);
    if (!joined) join(offer.invitation, bytes);
  }
  int least = data_ != nullptr && prepare() ? 1 : 0;
  const int agreed = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  if (makes && has_name()) shm_unlink(offer.name.data());  // lives on in those who have it
  const bool opened = error == MPI_SUCCESS && agreed == MPI_SUCCESS && least == 1;
  if (!opened) close();
  if (error != MPI_SUCCESS) return MpiError{error};
  if (agreed != MPI_SUCCESS) return MpiError{agreed};
  return opened;
}

/// A file without a name: nothing is left of it, whoever joins or ends when.
bool SharedSegment::create(std::size_t bytes, Invitation& invitation) noexcept {
  invitation = {};
  const std::size_t all_bytes = header_bytes + bytes;
  const std::uint64_t token = new_token();
  descriptor_ = create_without_path();
  const base::WriteSignalsBlocked blocked;
  if (descriptor_ >= 0 && posix_fallocate(descriptor_, 0, static_cast<off_t>(all_bytes)) == 0)
    map_new(all_bytes, token);
  if (data_ == nullptr) {
    close();
    return false;
  }
  invitation = own_invitation(token);
  return true;
}

SharedSegment::Invitation SharedSegment::own_invitation(std::uint64_t token) const noexcept {
  return {.token = token, .process = static_cast<std::int32_t>(getpid()), .descriptor = descriptor_};
}

/// Whether the file of this descriptor, which it takes, is the memory with this token.
bool SharedSegment::join_file(int descriptor, std::size_t bytes, std::uint64_t token) noexcept {
  descriptor_ = descriptor;
  map_existing(header_bytes + bytes, token);
  if (data_ == nullptr) close();
  return data_ != nullptr;
}

bool SharedSegment::join(const Invitation& invitation, std::size_t bytes) noexcept {
  if (invitation.token == 0) return false;
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/%d/fd/%d", invitation.process, invitation.descriptor);
  // on another host that may be anything, of which not even the opening is harmless
  if (!may_be_ours(path.data())) return false;
  return join_file(::open(path.data(), O_RDWR | O_CLOEXEC), bytes, invitation.token);
}

/// With all its pages: else who measures the first calls finds them ten times as long as those that follow.
void SharedSegment::map(std::size_t bytes) noexcept {
  if (descriptor_ < 0) return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) return;
  data_ = static_cast<std::byte*>(memory) + header_bytes;
  mapped_bytes_ = bytes;
  const std::size_t first = first_page(bytes);
  map_pages(static_cast<std::byte*>(memory) + first, bytes - first);
  map_pages(static_cast<std::byte*>(memory), first);
}

void SharedSegment::map_new(std::size_t bytes, std::uint64_t token) noexcept {
  map(bytes);
  if (data_ != nullptr) token_in(data_).store(token);
}

void SharedSegment::map_existing(std::size_t bytes, std::uint64_t token) noexcept {
  struct stat file {};
  // beyond its end there is no memory to map
  if (fstat(descriptor_, &file) != 0 || static_cast<std::size_t>(file.st_size) < bytes) return;
  map(bytes);
  if (data_ != nullptr && token_in(data_).load() != token) close();  // of another host's ranks, or another's
}

std::uint64_t SharedSegment::token() const noexcept { return token_in(data_).load(); }

bool SharedSegment::half_is_free() const noexcept {
  struct statvfs system {};
  return fstatvfs(descriptor_, &system) == 0 && system.f_bavail >= system.f_blocks / 2;
}

void SharedSegment::close_descriptor() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

void SharedSegment::close() noexcept {
  if (data_ != nullptr) munmap(data_ - header_bytes, mapped_bytes_);
  data_ = nullptr;
  mapped_bytes_ = 0;
  close_descriptor();
}

}  // namespace airamp::pmpi
