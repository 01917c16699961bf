// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/fetch_to_write.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/host/wait_pauses.hpp"
#include "pmpi/mpi/spin.hpp"

namespace airamp::pmpi {

/// Short vectors that the ranks of a host leave for one of them, the root, in memory that they share, and go on: as in
/// an MPI library, which sends them as messages that the root receives when it comes, none of them waits for it.
///
/// Calls are numbered: every rank comes to call n, in the same order, and knows its root. Each rank has places for some
/// calls; it may use one again when the root of the call before is done with it. Where that root is late, the others
/// have no room: they say so, and their contributions come by another way.
///
/// By some of these calls all ranks pass. A program that breaks MPI's rules may have some ranks take part where others
/// pass by, so each says by which it has passed: who waits finds out what another one has done.
///
/// Used by one thread at a time, as MPI demands of the collectives of one communicator.
class ContributionRing {
 public:
  /// Of one contribution.
  static constexpr std::size_t max_bytes = 2047;

  /// With more ranks the root reads for longer than an MPI library's tree takes.
  static constexpr int max_ranks = 64;

  /// Bytes from one rank's contribution to a call to the next rank's.
  static constexpr std::size_t stride = 2176;

  /// What it needs of shared memory, aligned to 128 bytes, for so many ranks, at most `max_ranks`.
  static std::size_t shared_bytes(int size) noexcept;

  /// `memory` is zero before the first rank uses it. `meeting`: of the same ranks.
  ContributionRing(std::byte* memory, HostMeeting& meeting, int rank, int size) noexcept;

  /// Goes on to the next call.
  void next(int root) noexcept;

  /// How many calls there have been.
  std::uint64_t calls() const noexcept { return number_; }

  /// Whether this rank's place is free.
  bool has_room() noexcept { return is_known_free(before_) || look_for_room(); }

  /// The same, and waits for it as long as the root is not `patience_seconds` late with its next call; not in the
  /// pauses after waits in vain. (A root that is busy with these calls is waited for: it would be slower still with
  /// messages.)
  bool wait_for_room(double patience_seconds) noexcept;

  /// This rank's place: `max_bytes` bytes, aligned to 16. Only if there is room. `leave`: what was written there is for
  /// the root.
  std::byte* own() const noexcept;
  void leave(std::size_t bytes) const noexcept;

  /// Says that this rank's contribution comes by another way.
  void leave_elsewhere(std::size_t bytes) const noexcept;

  /// For the root: where a rank's contribution is. What is here lies at `contribution` until `done`, which must follow.
  /// `passed`: it passes by, and gives none. Of a rank that has made very many calls since, and had no room, this is
  /// not known: it gives what it has elsewhere.
  enum class Where { nowhere_yet, here, elsewhere, passed };
  Where look(int rank) const noexcept;
  /// Of how many bytes it is, once it is here, or elsewhere and the rank's latest one there.
  std::size_t bytes_from(int rank) const noexcept;
  /// For the root: whether all others' contributions are here, or come here while it waits for each of them for some
  /// microseconds. Not if one comes by another way, or is not of so many bytes.
  bool all_come_soon(std::size_t bytes) const noexcept;
  const std::byte* contribution(int rank) const noexcept;
  void done() noexcept;

  /// For a rank that has left nothing in the present call: goes back to the one before.
  void take_back() noexcept;

  /// For a rank that is about to pass by the next call: what another one does there; `passed` where that is not known.
  Where look_ahead(int rank) const noexcept;

  /// Goes on to the next call, and says that this rank passes by.
  void pass_by() noexcept;

 private:
  static constexpr std::size_t places = 8;

  /// Calls that a rank has not made long ago.
  static constexpr std::uint64_t latest_calls = 16384;

  /// What one rank leaves for every 8th call, once `number` is its number. Few bytes lie in the same line as that.
  struct alignas(128) Place {
    std::atomic<std::uint64_t> number;
    std::size_t bytes;
    alignas(16) std::array<std::byte, max_bytes> data;
  };

  /// What a rank says of itself.
  struct alignas(128) Latest {
    std::atomic<std::uint64_t> done;       ///< the latest call that it was the root of and is done with
    std::atomic<std::uint64_t> elsewhere;  ///< the latest one to which its contribution comes by another way,
    std::atomic<std::size_t> bytes;        ///< of so many bytes
    std::atomic<std::uint64_t> passed;     ///< the latest one by which it passes
    std::atomic<std::uint64_t> noted;      ///< the latest one whose bit it has begun to write
    /// Of each of its latest calls a bit: whether it passes by, if nothing was left at its place.
    std::array<std::atomic<std::uint64_t>, latest_calls / 64> ways;
  };

  /// What a place was used for last. In one word: in two, a call of 8 bytes on two ranks takes a tenth longer.
  struct Use {
    std::uint64_t number : 56;
    std::uint64_t root : 8;
  };
  static_assert(max_ranks < 256);

  Place& place_of(int rank, std::uint64_t call) const noexcept {
    return places_[call % places * static_cast<std::size_t>(size_) + static_cast<std::size_t>(rank)];
  }
  Place& place(int rank) const noexcept { return place_of(rank, number_); }
  bool is_here(int rank, std::uint64_t call) const noexcept {
    return place_of(rank, call).number.load(std::memory_order_acquire) == call;
  }
  std::atomic<std::uint64_t>& way_of(int rank, std::uint64_t call) const noexcept {
    return latest_[rank].ways[call % latest_calls / 64];
  }
  static constexpr std::uint64_t bit_of(std::uint64_t call) { return std::uint64_t{1} << call % 64; }
  /// Of the present call, before this rank tells what it does there.
  void note_way(bool passes) const noexcept {
    std::atomic<std::uint64_t>& ways = way_of(rank_, number_);
    const std::uint64_t others = ways.load(std::memory_order_relaxed) & ~bit_of(number_);
    latest_[rank_].noted.store(number_, std::memory_order_relaxed);
    ways.store(others | (passes ? bit_of(number_) : 0), std::memory_order_release);  // who sees it sees the number
  }
  bool is_elsewhere(int rank, std::uint64_t call) const noexcept {
    return latest_[rank].elsewhere.load(std::memory_order_acquire) >= call;
  }
  Where look_at(int rank, std::uint64_t call, Where if_unknown) const noexcept;
  bool is_known_free(const Use& before) const noexcept {
    return before.number <= (static_cast<int>(before.root) == known_rank_ ? known_done_ : 0);
  }
  bool look_for_room() noexcept;

  Place* places_;   ///< by call and rank
  Latest* latest_;  ///< by rank
  HostMeeting& meeting_;
  int rank_;
  int size_;
  std::uint64_t number_ = 0;        ///< of the present call
  std::array<Use, places> uses_{};  ///< of places
  Use before_{};                    ///< of this call's place
  int known_rank_ = -1;             ///< the rank that was looked at last,
  std::uint64_t known_done_ = 0;    ///< and what it was done with
  WaitPauses pauses_;
};

// Inline: what every short call needs.

inline void ContributionRing::next(int root) noexcept {
  ++number_;
  before_ = std::exchange(uses_[number_ % places], Use{.number = number_, .root = static_cast<std::uint64_t>(root)});
}

inline std::byte* ContributionRing::own() const noexcept { return place(rank_).data.data(); }

inline void ContributionRing::leave(std::size_t bytes) const noexcept {
  Place& own = place(rank_);
  own.bytes = bytes;
  own.number.store(number_, std::memory_order_release);
  // not what a root may have yet to read
  const std::uint64_t next = number_ + 1;
  if (is_known_free(uses_[next % places])) base::fetch_to_write(&place_of(rank_, next));
}

inline const std::byte* ContributionRing::contribution(int rank) const noexcept { return place(rank).data.data(); }

inline bool ContributionRing::all_come_soon(std::size_t bytes) const noexcept {
  // From one place to the next by a step: a place reckoned from `number_` would be reckoned from what was read in the
  // one before, which the compiler knows to be the same, and the processor could not read several at once.
  const Place* left = &place(0);
  for (int rank = 0; rank < size_; ++rank, ++left) {
    if (rank == rank_) continue;
    Spin spin;
    while (left->number.load(std::memory_order_acquire) != number_) {
      if (is_elsewhere(rank, number_) || spin.once()) return false;
    }
    if (left->bytes != bytes) return false;
  }
  return true;
}

inline void ContributionRing::done() noexcept {
  latest_[rank_].done.store(number_, std::memory_order_release);  // what was read there may be overwritten
}

inline void ContributionRing::take_back() noexcept { uses_[number_-- % places] = before_; }

inline void ContributionRing::pass_by() noexcept {
  Latest& own = latest_[rank_];
  ++number_;
  note_way(true);
  own.passed.store(number_, std::memory_order_release);
}

}  // namespace airamp::pmpi
