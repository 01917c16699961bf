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
  known_rank_ = static_cast<int>(before_.root);
  known_done_ = latest_[known_rank_].done.load(std::memory_order_acquire);
  return before_.number <= known_done_;
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

void ContributionRing::leave_elsewhere(std::size_t bytes) const noexcept {
  note_way(false);
  latest_[rank_].bytes.store(bytes, std::memory_order_relaxed);
  latest_[rank_].elsewhere.store(number_, std::memory_order_release);
}

ContributionRing::Where ContributionRing::look_at(int rank, std::uint64_t call, Where if_unknown) const noexcept {
  if (is_here(rank, call)) return Where::here;
  const Latest& its = latest_[rank];
  if (!is_elsewhere(rank, call) && its.passed.load(std::memory_order_acquire) < call) return Where::nowhere_yet;
  if (is_here(rank, call)) return Where::here;  // the rank may have gone on since the first look
  const bool passed = (way_of(rank, call).load(std::memory_order_acquire) & bit_of(call)) != 0;
  // the bit may be that of a later call by now, of which the rank has told nothing yet
  const bool is_told = its.noted.load(std::memory_order_relaxed) < call + latest_calls;
  return !is_told ? if_unknown : passed ? Where::passed : Where::elsewhere;
}

ContributionRing::Where ContributionRing::look(int rank) const noexcept {
  return look_at(rank, number_, Where::elsewhere);
}

ContributionRing::Where ContributionRing::look_ahead(int rank) const noexcept {
  return look_at(rank, number_ + 1, Where::passed);
}

std::size_t ContributionRing::bytes_from(int rank) const noexcept {
  return is_here(rank, number_) ? place(rank).bytes : latest_[rank].bytes.load(std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
