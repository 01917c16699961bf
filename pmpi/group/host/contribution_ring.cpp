// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/contribution_ring.hpp"

#include <atomic>
#include <utility>

#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {

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

void ContributionRing::leave_elsewhere() const noexcept {
  latest_[rank_].elsewhere.store(number_, std::memory_order_release);
}

ContributionRing::Where ContributionRing::look(int rank) const noexcept {
  if (is_here(rank)) return Where::here;
  if (!is_elsewhere(rank)) return Where::nowhere_yet;
  return is_here(rank) ? Where::here : Where::elsewhere;  // what is elsewhere may be of a later call
}

}  // namespace airamp::pmpi
