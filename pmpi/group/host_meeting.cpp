// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host_meeting.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {
namespace {

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
  alignas(64) std::atomic<bool> given_up;
  std::atomic<std::uint64_t> called_off;  // what was agreed before the meeting of this number
  std::array<Place, max_ranks> places;
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

Result<bool> HostMeeting::open(MPI_Comm comm, int rank, int size) {
  rank_ = rank;
  size_ = size;
  const auto prepare = [this] {
    shared_ = reinterpret_cast<Shared*>(segment_.data());  // all zero: a valid state
    return lock_own_place() && progress_.start() == MPI_SUCCESS;
  };
  const Result<bool> opened = segment_.open(comm, rank, sizeof(Shared), prepare);
  if (opened.ok() && *opened) return opened;
  shared_ = nullptr;  // closed
  close();
  return opened;
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
  Words words;
  Spin spin;
  for (int peer = 0; peer < size_; ++peer) {
    const Shared::Place& place = shared_->places[static_cast<std::size_t>(peer)];
    while (place.arrived.load(std::memory_order_acquire) < meeting) {
      if (!spin.once()) continue;
      progress_.once();
      // who has come before it went has said its word to everybody
      const bool gone = any_gone() && gone_[static_cast<std::size_t>(peer)];
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
  Words details;
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
  return fcntl(segment_.descriptor(), F_SETLK, &lock) == 0;
}

bool HostMeeting::any_gone() noexcept {
  constexpr auto between = std::chrono::milliseconds(5);
  const auto now = std::chrono::steady_clock::now();
  if (now - asked_ < between) return gone_.any();
  asked_ = now;
  for (int peer = 0; peer < size_; ++peer) {
    struct flock lock = lock_of(peer);
    if (peer == rank_ || fcntl(segment_.descriptor(), F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK) continue;
    // who has done with this may be ahead of us, in MPI_Comm_free
    if (!shared_->places[static_cast<std::size_t>(peer)].closed.load(std::memory_order_acquire))
      gone_.set(static_cast<std::size_t>(peer));
  }
  return gone_.any();
}

void HostMeeting::close() noexcept {
  progress_.stop();
  if (shared_ != nullptr) {
    shared_->places[static_cast<std::size_t>(rank_)].closed.store(true, std::memory_order_release);
  }
  shared_ = nullptr;
  segment_.close();
}

}  // namespace airamp::pmpi
