// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/broadcast_ring.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>

#include "pmpi/mpi/spin.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// For so many messages nobody looks after the first that could not be left, for twice as many after each other one.
constexpr std::uint64_t first_pause = 64;
constexpr unsigned max_absences = 32;  // the last pause does not end

}  // namespace

/// Messages that were not left, in their order.
struct alignas(128) BroadcastRing::Absences {
  std::array<std::atomic<std::uint64_t>, max_absences> number;
};

std::size_t BroadcastRing::shared_bytes(int size) noexcept {
  return places * sizeof(Place) + sizeof(Absences) + static_cast<std::size_t>(size) * sizeof(Done);
}

BroadcastRing::BroadcastRing(std::byte* memory, HostMeeting& meeting, int rank, int size) noexcept
    : places_(reinterpret_cast<Place*>(memory)),
      absences_(reinterpret_cast<Absences*>(memory + places * sizeof(Place))),
      done_(reinterpret_cast<Done*>(memory + places * sizeof(Place) + sizeof(Absences))),
      meeting_(meeting),
      rank_(rank),
      size_(size) {}

bool BroadcastRing::is_absent() const noexcept {
  return absent_ < max_absences && absences_->number[absent_].load(std::memory_order_acquire) == number_;
}

/// The latest message was not left. The same on all ranks.
void BroadcastRing::look_away() noexcept {
  ++absent_;
  looks_again_at_ =
      absent_ < max_absences ? number_ + (first_pause << (absent_ - 1)) : std::numeric_limits<std::uint64_t>::max();
}

/// Whether all ranks are done with what lies in the place of the latest message.
bool BroadcastRing::all_are_done() noexcept {
  std::uint64_t least = number_;
  for (int peer = 0; peer < size_; ++peer) {
    if (peer != rank_) least = std::min(least, done_[peer].number.load(std::memory_order_acquire));
  }
  done_by_all_ = least;
  return number_ <= done_by_all_ + places;
}

bool BroadcastRing::wait_for_room(double patience_seconds) noexcept {
  const Stopwatch watch;
  Spin spin;
  while (!has_room()) {
    if (watch.seconds() > patience_seconds) return false;
    if (spin.once()) meeting_.progress();
  }
  return true;
}

void BroadcastRing::leave_none() noexcept {
  absences_->number[absent_].store(number_, std::memory_order_release);
  look_away();
  taken();
}

BroadcastRing::Message BroadcastRing::take(int from) noexcept {
  if (!meeting_.wait_until(from, [this] { return is_there() || is_absent(); })) return {};
  if (is_there()) return {.data = place().data.data(), .bytes = place().bytes};
  look_away();
  return {.data = place().data.data(), .bytes = 0};
}

void BroadcastRing::leave_for_all(const void* data, std::size_t bytes) noexcept {
  ++number_;
  leave(data, bytes);
}

BroadcastRing::Message BroadcastRing::take_with_all(int from) noexcept {
  ++number_;
  if (!meeting_.wait_until(from, [this] { return is_there(); })) return {};
  return {.data = place().data.data(), .bytes = place().bytes};
}

}  // namespace airamp::pmpi
