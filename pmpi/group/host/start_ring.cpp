// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/start_ring.hpp"

#include <array>
#include <atomic>
#include <limits>

namespace airamp::pmpi {
namespace {

/// So many starts are left to the MPI library at the first time, twice as many at each other one.
constexpr std::uint64_t first_pause = 64;
constexpr unsigned max_absences = 32;  // the last pause does not end

// The word: how many windows are decided, and above it how many of them are absent.
constexpr unsigned absences_shift = 56;
constexpr std::uint64_t windows_in(std::uint64_t word) { return word & ((std::uint64_t{1} << absences_shift) - 1); }
constexpr unsigned absences_in(std::uint64_t word) { return static_cast<unsigned>(word >> absences_shift); }
constexpr std::uint64_t word_of(std::uint64_t windows, unsigned absences) {
  return windows | (std::uint64_t{absences} << absences_shift);
}

std::uint64_t pause_after(unsigned absences) {
  return absences < max_absences ? first_pause << (absences - 1) : std::numeric_limits<std::uint64_t>::max();
}

/// Who proposed an earlier one late changes nothing.
void raise_to(std::atomic<std::uint64_t>& value, std::uint64_t least) noexcept {
  std::uint64_t before = value.load(std::memory_order_relaxed);
  while (before < least && !value.compare_exchange_weak(before, least, std::memory_order_relaxed)) {
  }
}

}  // namespace

/// Where one rank leaves its vector of every so many starts, which is there once `number` is the start's. The vector
/// lies behind it, so that few bytes lie in the same line as that.
struct alignas(16) StartRing::Place {
  std::atomic<std::uint64_t> number;

  std::byte* data() noexcept { return reinterpret_cast<std::byte*>(this + 1); }

  /// From one to the next: whole pairs of cache lines, and an odd number of them, lest all lie in the same sets of a
  /// cache.
  static constexpr std::size_t stride(std::size_t max_bytes) {
    const std::size_t lines = (sizeof(Place) + max_bytes + 127) / 128;
    return (lines | 1U) * 128;
  }
};

/// The latest start that a rank is done with.
struct alignas(128) StartRing::Done {
  std::atomic<std::uint64_t> number;
};

struct alignas(128) StartRing::Decisions {
  std::atomic<std::uint64_t> word;
  /// The windows that are not left here, counted from 1, in their order. What the word counts never changes any more:
  /// before that it may have been proposed for an earlier window, which was then decided otherwise.
  alignas(128) std::array<std::atomic<std::uint64_t>, max_absences> absent;
};

std::size_t StartRing::shared_bytes(int size, const Division& division) noexcept {
  const std::size_t of_places = division.places * Place::stride(division.max_bytes);
  return static_cast<std::size_t>(size) * (of_places + sizeof(Done)) + sizeof(Decisions);
}

StartRing::StartRing(std::byte* memory, int rank, int size, const Division& division) noexcept
    : places_(memory),
      rank_(rank),
      size_(size),
      stride_(Place::stride(division.max_bytes)),
      room_(division.places),
      window_(division.window) {
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
  const auto ranks = static_cast<std::size_t>(size);
  memory += room_ * ranks * stride_;
  done_ = reinterpret_cast<Done*>(memory);
  decisions_ = reinterpret_cast<Decisions*>(memory + ranks * sizeof(Done));
}

StartRing::Place& StartRing::place(int rank, std::uint64_t number) const noexcept {
  const std::size_t index = number % room_ * static_cast<std::size_t>(size_) + static_cast<std::size_t>(rank);
  return *reinterpret_cast<Place*>(places_ + index * stride_);
}

bool StartRing::next(bool wanted) noexcept {
  if (skipped_ > 0) {
    --skipped_;
    return false;
  }
  if (left_ == 0 && !enter_window(wanted)) return false;
  --left_;
  ++number_;
  return true;
}

/// Whether all ranks are done with what their places for the next window had before.
bool StartRing::has_room() noexcept {
  const std::uint64_t last = number_ + window_;
  return last <= room_ || are_done(last - room_);
}

bool StartRing::are_done(std::uint64_t number) const noexcept {
  for (int rank = 0; rank < size_; ++rank) {
    if (done_[rank].number.load(std::memory_order_acquire) < number) return false;
  }
  return true;
}

bool StartRing::enter_window(bool wanted) noexcept {
  const std::uint64_t own = ++windows_;
  std::uint64_t word = decisions_->word.load(std::memory_order_acquire);
  if (windows_in(word) < own) {  // nobody has decided: all before it are
    const unsigned absences = absences_in(word);
    const bool absent = !wanted || !has_room();
    if (absent) raise_to(decisions_->absent[absences], own);
    const std::uint64_t proposed = word_of(own, absences + (absent ? 1 : 0));
    if (decisions_->word.compare_exchange_strong(word, proposed, std::memory_order_acq_rel, std::memory_order_acquire))
      word = proposed;
  }
  if (absent_ == absences_in(word) || decisions_->absent[absent_].load(std::memory_order_relaxed) != own) {
    left_ = window_;
    return true;
  }
  ++absent_;
  skipped_ = pause_after(absent_) - 1;
  return false;
}

std::byte* StartRing::own() const noexcept { return place(rank_, number_).data(); }

void StartRing::leave() noexcept { place(rank_, number_).number.store(number_, std::memory_order_release); }

bool StartRing::has_left(int rank, std::uint64_t number) const noexcept {
  return place(rank, number).number.load(std::memory_order_acquire) == number;
}

int StartRing::first_missing(std::uint64_t number) noexcept {
  if (checked_ != number) {
    checked_ = number;
    first_missing_ = 0;
  }
  while (first_missing_ < size_ && has_left(first_missing_, number)) ++first_missing_;
  return first_missing_;
}

StartedVectors StartRing::vectors(std::uint64_t number) const noexcept {
  return {.first = place(0, number).data(), .stride = stride_};
}

void StartRing::done(std::uint64_t number) noexcept {
  done_[rank_].number.store(number, std::memory_order_release);  // what was read may be overwritten
}

}  // namespace airamp::pmpi
