// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host_meeting.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>

#include "config/quiet_write.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {
namespace {

using Name = std::array<char, 64>;

/// The name of a new shared-memory object of ours, and its descriptor; empty and -1 if it cannot be made.
int create(Name& name, std::size_t bytes) {
  static std::atomic<unsigned> serial{0};
  constexpr int most_attempts = 100;  // a process of the same number that was killed may have left some behind
  int descriptor = -1;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    std::snprintf(name.data(), name.size(), "/airamp-%u-%d-%u", static_cast<unsigned>(getuid()),
                  static_cast<int>(getpid()), serial.fetch_add(1));
    descriptor = shm_open(name.data(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (descriptor >= 0 || errno != EEXIST) break;
  }
  const config::WriteSignalsBlocked blocked;
  // allocated now: memory that is not there would kill whoever writes to it
  if (descriptor >= 0 && posix_fallocate(descriptor, 0, static_cast<off_t>(bytes)) != 0) {
    ::close(descriptor);
    shm_unlink(name.data());
    descriptor = -1;
  }
  if (descriptor < 0) name.fill(0);
  return descriptor;
}

/// That a rank holds as long as its process lives.
struct flock lock_of(int rank) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = rank;
  lock.l_len = 1;
  return lock;
}

}  // namespace

/// The shared page. A rank's word is valid in meeting k once its `arrived` has reached k. Two words in turn are enough:
/// who writes a word for meeting k + 2 has met everybody in meeting k + 1, and they had read the words of k before.
struct HostMeeting::Shared {
  struct alignas(64) Place {
    std::atomic<std::uint64_t> arrived;
    std::array<std::atomic<std::uint64_t>, 2> words;
    std::array<std::atomic<std::uint64_t>, 2> details;
    std::atomic<bool> closed;  // before the rank lets go of its lock by itself
  };
  alignas(64) std::atomic<std::uint64_t> token;  // of the rank that made it
  alignas(64) std::atomic<bool> given_up;
  std::atomic<std::uint64_t> called_off;  // what was agreed before the meeting of this number
  std::array<Place, gpu::most_peers> places;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

int HostMeeting::open(MPI_Comm comm, int rank, int size, bool& opened) {
  // random enough to tell this object from one of the same name on another host
  struct Invitation {
    Name name;
    std::uint64_t token;
  } invitation{};
  opened = false;
  int descriptor = -1;
  if (rank == 0) {
    descriptor = create(invitation.name, sizeof(Shared));
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    invitation.token = (static_cast<std::uint64_t>(now) * 0x9e3779b97f4a7c15U) ^ static_cast<unsigned>(getpid());
  }
  const auto map = [&] {
    void* memory =
        descriptor < 0 ? MAP_FAILED : mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    shared_ = memory == MAP_FAILED ? nullptr : static_cast<Shared*>(memory);  // all zero: a valid state
    descriptor_ = descriptor;
  };
  if (rank == 0) {
    map();
    if (shared_ != nullptr) shared_->token.store(invitation.token);
  }
  const int error = native().MPI_Bcast(&invitation, sizeof invitation, MPI_BYTE, 0, comm);
  if (error == MPI_SUCCESS && rank != 0 && invitation.name[0] != '\0') {
    descriptor = shm_open(invitation.name.data(), O_RDWR | O_CLOEXEC, 0);
    map();
    if (shared_ != nullptr && shared_->token.load() != invitation.token) {  // of another host's ranks
      munmap(shared_, sizeof(Shared));
      shared_ = nullptr;
    }
  }
  rank_ = rank;
  size_ = size;
  opened = shared_ != nullptr && lock_own_place() && progress_.start() == MPI_SUCCESS;
  int least = opened ? 1 : 0;
  const int agreed = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  if (rank == 0 && invitation.name[0] != '\0') shm_unlink(invitation.name.data());  // lives on in those who have it
  if (least == 0) opened = false;
  if (!opened) close();
  return error != MPI_SUCCESS ? error : agreed;
}

void HostMeeting::arrive(std::uint64_t word, std::uint64_t detail) noexcept {
  const std::uint64_t meeting = ++meetings_;
  Shared::Place& own = shared_->places[static_cast<std::size_t>(rank_)];
  own.words[meeting % 2].store(word, std::memory_order_relaxed);
  own.details[meeting % 2].store(detail, std::memory_order_relaxed);
  own.arrived.store(meeting, std::memory_order_release);
}

HostMeeting::Words HostMeeting::hear() noexcept {
  const std::uint64_t meeting = meetings_;
  Words words{};
  Spin spin;
  for (int peer = 0; peer < size_; ++peer) {
    const Shared::Place& place = shared_->places[static_cast<std::size_t>(peer)];
    while (place.arrived.load(std::memory_order_acquire) < meeting) {
      if (!spin.once()) continue;
      progress_.once();
      // who has come before it went has said its word to everybody
      const bool gone = any_gone() && (gone_ >> peer & 1U) != 0;
      if (gone && place.arrived.load(std::memory_order_acquire) < meeting) {
        failed_ = true;
        return Words{};
      }
    }
    words[static_cast<std::size_t>(peer)] = place.words[meeting % 2].load(std::memory_order_relaxed);
  }
  return words;
}

HostMeeting::Words HostMeeting::details() const noexcept {
  Words details{};
  for (std::size_t peer = 0; peer < static_cast<std::size_t>(size_); ++peer)
    details[peer] = shared_->places[peer].details[meetings_ % 2].load(std::memory_order_relaxed);
  return details;
}

void HostMeeting::give_up() noexcept { shared_->given_up.store(true, std::memory_order_release); }

bool HostMeeting::given_up() const noexcept { return shared_->given_up.load(std::memory_order_acquire); }

void HostMeeting::call_off() noexcept { shared_->called_off.store(meetings_ + 1, std::memory_order_release); }

bool HostMeeting::called_off() const noexcept {
  return shared_->called_off.load(std::memory_order_acquire) == meetings_ + 1;
}

bool HostMeeting::lock_own_place() noexcept {
  struct flock lock = lock_of(rank_);
  return fcntl(descriptor_, F_SETLK, &lock) == 0;
}

bool HostMeeting::any_gone() noexcept {
  constexpr auto between = std::chrono::milliseconds(5);
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < between) return gone_ != 0;
  asked_ = now;
  for (int peer = 0; peer < size_; ++peer) {
    struct flock lock = lock_of(peer);
    if (peer == rank_ || fcntl(descriptor_, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK) continue;
    // who has done with this may be ahead of us, in MPI_Comm_free
    if (!shared_->places[static_cast<std::size_t>(peer)].closed.load(std::memory_order_acquire)) gone_ |= 1U << peer;
  }
  return gone_ != 0;
}

void HostMeeting::close() noexcept {
  progress_.stop();
  if (shared_ != nullptr) {
    shared_->places[static_cast<std::size_t>(rank_)].closed.store(true, std::memory_order_release);
    munmap(shared_, sizeof(Shared));
  }
  if (descriptor_ >= 0) ::close(descriptor_);
  shared_ = nullptr;
  descriptor_ = -1;
}

}  // namespace airamp::pmpi
