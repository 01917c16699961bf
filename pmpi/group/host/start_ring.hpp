// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "pmpi/group/host/started_vectors.hpp"

namespace airamp::pmpi {

/// Vectors that every rank of a host leaves for all others, in memory that they share, when it starts a
/// collective. Nobody waits there: what a rank starts is complete once all others have started it, whatever they do
/// afterwards.
///
/// Starts are numbered: every rank takes part in start n, in the same order. Each rank has places for some of them, and
/// may use one again once all ranks are done with what it had left there. A rank that is far ahead of another finds no
/// room, and cannot wait, for natively no start waits. So who comes first to some starts in a row decides for all ranks
/// whether these are left here, by compare-and-exchange of one word; who comes later finds the answer. If it is no,
/// that and ever more of the starts behind it are left to the MPI library, which is written down where nothing is ever
/// overwritten, so that a rank finds it however late it comes.
///
/// Used by one thread at a time, as MPI demands of the starts of one communicator; `is_complete` and what follows it by
/// one thread at a time as well, which may be another one.
class StartRing {
 public:
  /// How its memory is divided; the same on all ranks.
  struct Division {
    std::size_t max_bytes;  ///< of one vector
    std::uint64_t places;   ///< of each rank: starts that may run at the same time, at most `most_places`
    std::uint64_t window;   ///< starts that are decided on at once, at most `places`
  };
  static constexpr std::uint64_t most_places = 16;

  /// The word that decides costs as much as a short vector.
  static constexpr Division for_short = {.max_bytes = 2047, .places = most_places, .window = 4};

  /// With more ranks each reads for longer than an MPI library's tree takes.
  static constexpr int max_ranks = 64;

  /// Of longer ones fewer, and the more ranks there are, the shorter: about 1 MiB in all. Who reads more than a quarter
  /// of that takes about as long as the MPI library (docs/performance.md).
  static constexpr Division for_long(int size) noexcept {
    constexpr std::size_t all_bytes = 1U << 20U;
    constexpr std::uint64_t few_places = 4;
    const std::size_t share = all_bytes / few_places / static_cast<std::size_t>(size);
    return {.max_bytes = std::bit_floor(share) - 1, .places = few_places, .window = 1};
  }

  /// What it needs of shared memory, aligned to 128 bytes, for so many ranks.
  static std::size_t shared_bytes(int size, const Division& division) noexcept;

  /// `memory` is zero before the first rank uses it. What a rank wants may not change within a window.
  StartRing(std::byte* memory, int rank, int size, const Division& division) noexcept;

  /// Goes on to the next start. Whether it is left here, the same on all ranks. `wanted`: whether this rank wants that,
  /// should it be the one to decide. If so, `own` and `leave` must follow.
  bool next(bool wanted) noexcept;

  /// Whether the next start is not left here, as was decided before.
  bool skips() const noexcept { return skipped_ > 0; }

  /// The number of the latest start that is left here.
  std::uint64_t number() const noexcept { return number_; }

  /// This rank's place: Division::max_bytes, aligned to 16. `leave`: what was written there is for the others.
  std::byte* own() const noexcept;
  void leave() noexcept;

  /// The first rank that has not left its vector of a start yet; the number of ranks if all have.
  int first_missing(std::uint64_t number) noexcept;

  /// Whether a rank has left its vector of a start that this one is not done with.
  bool has_left(int rank, std::uint64_t number) const noexcept;

  /// Where they are, until `done`.
  StartedVectors vectors(std::uint64_t number) const noexcept;

  /// This rank has read the vectors of that start. One after the other.
  void done(std::uint64_t number) noexcept;

  /// Whether all ranks have read those of all starts that this one has come to. By the thread that starts, or once
  /// there are no more starts.
  bool are_all_done() const noexcept { return are_done(number_); }

 private:
  struct Place;
  struct Done;
  struct Decisions;

  Place& place(int rank, std::uint64_t number) const noexcept;
  bool enter_window(bool wanted) noexcept;
  bool has_room() noexcept;
  bool are_done(std::uint64_t number) const noexcept;

  std::byte* places_;  ///< by start and rank
  Done* done_;         ///< by rank
  Decisions* decisions_;
  int rank_;
  int size_;
  std::size_t stride_;  ///< from one place to the next
  std::uint64_t room_;  ///< starts that may run at the same time
  std::uint64_t window_;
  std::uint64_t number_ = 0;
  std::uint64_t left_ = 0;     ///< starts in the present window
  std::uint64_t windows_ = 0;  ///< that this rank has come to
  unsigned absent_ = 0;        ///< of those, that are not left here
  std::uint64_t skipped_ = 0;  ///< starts that are still to pass to the MPI library
  std::uint64_t checked_ = 0;  ///< the start that was looked at last,
  int first_missing_ = 0;      ///< and below which rank all have left their vectors of it
};

}  // namespace airamp::pmpi
