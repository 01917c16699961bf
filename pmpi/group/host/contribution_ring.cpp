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

void ContributionRing::leave_elsewhere(std::size_t bytes) const noexcept {
  latest_[rank_].bytes.store(bytes, std::memory_order_relaxed);
  latest_[rank_].passed_before.store(passed_, std::memory_order_relaxed);
  latest_[rank_].elsewhere.store(number_, std::memory_order_release);
}

ContributionRing::Where ContributionRing::look_at(int rank, std::uint64_t call) const noexcept {
  if (is_here(rank, call)) return Where::here;
  if (!is_elsewhere(rank, call)) return Where::nowhere_yet;
  return is_here(rank, call) ? Where::here : Where::elsewhere;  // what is elsewhere may be of a later call
}

ContributionRing::Where ContributionRing::look(int rank) const noexcept {
  const Where where = look_at(rank, number_);
  if (where != Where::nowhere_yet || !has_passed(rank, passed_ + 1)) return where;
  const Where now = look_at(rank, number_);  // it may have passed by afterwards
  return now == Where::nowhere_yet ? Where::passed : now;
}

ContributionRing::Where ContributionRing::look_ahead(int rank) const noexcept {
  const std::uint64_t next = number_ + 1;
  const bool has_gone_on = has_passed(rank, passed_ + 1);  // before the look: by then it may have done so afterwards
  const Where where = look_at(rank, next);
  const auto passed_before = static_cast<std::uint32_t>(
      where == Where::here ? place_of(rank, next).passed : latest_[rank].passed_before.load(std::memory_order_relaxed));
  const bool is_in_it = where != Where::nowhere_yet && passed_before == static_cast<std::uint32_t>(passed_);
  return is_in_it ? where : has_gone_on ? Where::passed : Where::nowhere_yet;
}

std::size_t ContributionRing::bytes_from(int rank) const noexcept {
  return is_here(rank, number_) ? place(rank).bytes : latest_[rank].bytes.load(std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
