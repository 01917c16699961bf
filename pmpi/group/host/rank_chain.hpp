// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "pmpi/group/host/host_meeting.hpp"

namespace airamp::pmpi {

/// The ranks of a host as a chain, in which each hands a vector on to the next one, piece by piece, in memory that they
/// share: while a rank is at one piece, those before it are at later ones. All ranks are to come to the same pieces.
/// It counts them; where they lie is its user's affair.
///
/// Used by one thread at a time, as MPI demands of the collectives of one communicator.
class RankChain {
 public:
  /// What it needs of shared memory, aligned to 128 bytes, for so many ranks.
  static std::size_t shared_bytes(int size) noexcept { return static_cast<std::size_t>(size) * sizeof(Done); }

  /// `memory` is zero before the first rank uses it. `meeting`: of the same ranks.
  RankChain(std::byte* memory, HostMeeting& meeting, int rank, int size) noexcept
      : done_(reinterpret_cast<Done*>(memory)), meeting_(meeting), rank_(rank), size_(size) {}

  /// Goes on to the next piece, and waits until the rank before has handed it on, and the one behind is done with the
  /// piece that was handed on `places` pieces ago. False if that will not be: the process of a rank has ended, or the
  /// communicator is revoked. Then no more pieces must follow.
  bool next(std::size_t places) noexcept {
    ++piece_;
    return has_come(rank_ - 1, piece_) && has_come(rank_ + 1, piece_ - std::min<std::uint64_t>(piece_, places));
  }

  /// How many pieces there have been.
  std::uint64_t pieces() const noexcept { return piece_; }

  /// This rank has taken the present piece, and what it hands on of it is there.
  void done() noexcept { done_[rank_].pieces.store(piece_, std::memory_order_release); }

 private:
  struct alignas(128) Done {
    std::atomic<std::uint64_t> pieces;
  };

  /// Whether `rank` is done with so many pieces. There is none before the first rank, and none behind the last.
  bool has_come(int rank, std::uint64_t pieces) noexcept {
    if (rank < 0 || rank == size_) return true;
    return meeting_.wait_for_all_until([&] { return done_[rank].pieces.load(std::memory_order_acquire) >= pieces; });
  }

  Done* done_;  ///< by rank
  HostMeeting& meeting_;
  int rank_;
  int size_;
  std::uint64_t piece_ = 0;
};

}  // namespace airamp::pmpi
