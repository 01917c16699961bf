// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/memory/shared_segment.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <span>
#include <utility>

#include "base/fibonacci_hash.hpp"
#include "pmpi/group/memory/shared_file.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

/// What lies before the data, which begin on a pair of cache lines: the token of the rank that made the segment.
constexpr std::size_t header_bytes = 128;

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
  shared_file::Name name;
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

}  // namespace

Result<bool> SharedSegment::open(const Sharers& sharers, std::size_t bytes, const std::function<bool()>& prepare) {
  const MPI_Comm comm = sharers.comm;
  const bool makes = sharers.rank == sharers.maker;
  Offer offer{};
  const auto has_name = [&] { return offer.name[0] != '\0'; };
  const std::size_t all_bytes = header_bytes + bytes;
  if (makes) {
    file_ = shared_file::create_named(offer.name, all_bytes);
    if (has_name()) {
      offer.invitation = own_invitation(new_token());
      map_new(all_bytes, offer.invitation.token);
    } else if (shared_file::affords_without_path(all_bytes)) {
      create(bytes, offer.invitation);
    }
  }
  const int error = spread(sharers, offer);
  if (error == MPI_SUCCESS && !makes) {
    const bool joined = has_name() && join_file(shared_file::open_named(offer.name), bytes, offer.invitation.token);
    if (!joined) join(offer.invitation, bytes);
  }
  int least = data_ != nullptr && prepare() ? 1 : 0;
  const int agreed = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  if (makes && has_name()) shared_file::remove_named(offer.name);
  const bool opened = error == MPI_SUCCESS && agreed == MPI_SUCCESS && least == 1;
  if (!opened) close();
  if (error != MPI_SUCCESS) return MpiError{error};
  if (agreed != MPI_SUCCESS) return MpiError{agreed};
  return opened;
}

bool SharedSegment::create(std::size_t bytes, Invitation& invitation) noexcept {
  invitation = {};
  const std::size_t all_bytes = header_bytes + bytes;
  const std::uint64_t token = new_token();
  file_ = shared_file::create_without_path(all_bytes);
  map_new(all_bytes, token);
  if (data_ == nullptr) {
    close();
    return false;
  }
  invitation = own_invitation(token);
  return true;
}

SharedSegment::Invitation SharedSegment::own_invitation(std::uint64_t token) const noexcept {
  return {.token = token, .process = static_cast<std::int32_t>(getpid()), .descriptor = file_.get()};
}

/// Whether this file, which it takes, is the memory with this token.
bool SharedSegment::join_file(base::FileDescriptor file, std::size_t bytes, std::uint64_t token) noexcept {
  file_ = std::move(file);
  map_existing(header_bytes + bytes, token);
  if (data_ == nullptr) close();
  return data_ != nullptr;
}

bool SharedSegment::join(const Invitation& invitation, std::size_t bytes) noexcept {
  if (invitation.token == 0) return false;
  return join_file(shared_file::open_of_process(invitation.process, invitation.descriptor), bytes, invitation.token);
}

/// With all its pages: else who measures the first calls finds them ten times as long as those that follow.
void SharedSegment::map(std::size_t bytes) noexcept {
  if (!file_.valid()) return;
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_.get(), 0);
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
  struct stat status {};
  // beyond its end there is no memory to map
  if (fstat(file_.get(), &status) != 0 || static_cast<std::size_t>(status.st_size) < bytes) return;
  map(bytes);
  if (data_ != nullptr && token_in(data_).load() != token) close();  // of another host's ranks, or another's
}

std::uint64_t SharedSegment::token() const noexcept { return token_in(data_).load(); }

bool SharedSegment::half_is_free() const noexcept {
  struct statvfs system {};
  return fstatvfs(file_.get(), &system) == 0 && system.f_bavail >= system.f_blocks / 2;
}

void SharedSegment::close() noexcept {
  if (data_ != nullptr) munmap(data_ - header_bytes, mapped_bytes_);
  data_ = nullptr;
  mapped_bytes_ = 0;
  close_descriptor();
}

}  // namespace airamp::pmpi
