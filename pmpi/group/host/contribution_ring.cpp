// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/contribution_ring.hpp"

#include <atomic>
#include <utility>

#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
/// What one rank leaves for every 8th call, once `number` is its number. Few bytes lie in the same line as that.
struct alignas(128) ContributionRing::Place {
  std::atomic<std::uint64_t> number;
  alignas(16) std::array<std::byte, max_bytes> data;
};

/// What a rank says of itself.
struct alignas(128) ContributionRing::Latest {
  std::atomic<std::uint64_t> done;       ///< the latest call that it was the root of and is done with
  std::atomic<std::uint64_t> elsewhere;  ///< the latest one to which its contribution comes by another way
};

std::size_t ContributionRing::shared_bytes(int size) noexcept {
  return static_cast<std::size_t>(size) * (places * sizeof(Place) + sizeof(Latest));
}

ContributionRing::ContributionRing(std::byte* memory, HostMeeting& meeting, int rank, int size) noexcept
    : places_(reinterpret_cast<Place*>(memory)),
      latest_(reinterpret_cast<Latest*>(memory + places * static_cast<std::size_t>(size) * sizeof(Place))),
      meeting_(meeting),
      rank_(rank),
      size_(size) {
  static_assert(sizeof(Place) == stride);
}

ContributionRing::Place& ContributionRing::place(int rank) const noexcept {
  return places_[number_ % places * static_cast<std::size_t>(size_) + static_cast<std::size_t>(rank)];
}

void ContributionRing::next(int root) noexcept {
  ++number_;
  root_before_ = std::exchange(roots_[number_ % places], root);
}

bool ContributionRing::look_for_room() noexcept {
  known_rank_ = root_before_;
  known_done_ = latest_[known_rank_].done.load(std::memory_order_acquire);
  return number_ <= known_done_ + places;
}

bool ContributionRing::wait_for_room(double patience_seconds) noexcept {
  if (!pauses_.may_wait(number_)) return has_room();
  Stopwatch watch;
  Spin spin;
  std::uint64_t done = known_done_;
  while (!has_room()) {
    if (std::exchange(done, known_done_) != known_done_) watch = Stopwatch();
    if (watch.seconds() > patience_seconds) {
      pauses_.waited_in_vain(number_);
      return false;
    }
    if (spin.once()) meeting_.progress();
  }
  pauses_.waited_in_time();
  return true;
}

std::byte* ContributionRing::own() const noexcept { return place(rank_).data.data(); }

void ContributionRing::leave() const noexcept { place(rank_).number.store(number_, std::memory_order_release); }

void ContributionRing::leave_elsewhere() const noexcept {
  latest_[rank_].elsewhere.store(number_, std::memory_order_release);
}

bool ContributionRing::is_here(int rank) const noexcept {
  return place(rank).number.load(std::memory_order_acquire) == number_;
}

ContributionRing::Where ContributionRing::look(int rank) const noexcept {
  if (is_here(rank)) return Where::here;
  if (latest_[rank].elsewhere.load(std::memory_order_acquire) < number_) return Where::nowhere_yet;
  return is_here(rank) ? Where::here : Where::elsewhere;  // what is elsewhere may be of a later call
}

const std::byte* ContributionRing::contribution(int rank) const noexcept { return place(rank).data.data(); }

void ContributionRing::done() noexcept {
  latest_[rank_].done.store(number_, std::memory_order_release);  // what was read there may be overwritten
}

}  // namespace airamp::pmpi
