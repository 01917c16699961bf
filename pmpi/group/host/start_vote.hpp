// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace airamp::pmpi {

/// From which call on ranks do something together, where nobody may be held up until they do. Some rank proposes a call
/// that it has yet to come to; each of the others votes for it in a call before that one, or finds in that call that
/// not all have voted, and then it is off for all. Whether it is carried or off is settled once, in one word that the
/// ranks share: whoever comes to the call later finds the same. tests/protocol/start_vote.pml is its model.
///
/// Used by one thread at a time of each rank.
class StartVote {
 public:
  /// At most so many ranks.
  static constexpr std::uint64_t max_ranks = 511;
  /// No rank proposes a call that is further away than so many.
  static constexpr std::uint64_t longest_distance = 4096;

  /// What the ranks share, all zero at first.
  struct Shared {
    std::atomic<std::uint64_t> vote;     ///< the call that was proposed last, and how many ranks are for it; 0: none
    std::atomic<std::uint64_t> carried;  ///< the call that was carried last, since another one has been proposed
  };

  /// Whether all ranks begin with this call. The same on all ranks of each call; waits for nobody. Calls are numbered
  /// from 1 on, on all ranks alike; each rank asks about all that come before what begins, in their order. It may go on
  /// asking afterwards, about later calls, for all to begin anew. Numbers that all ranks leave out begin nothing.
  /// `votes`: whether this rank may propose a call now, or vote for one; it is any rank's own affair, and without its
  /// vote none begins.
  bool begins(Shared& shared, std::uint64_t ranks, std::uint64_t call, bool votes = true) noexcept;

 private:
  std::uint64_t voted_for_ = 0;  ///< a call that has yet to come and may have been carried
  std::uint64_t distance_ = 2;   ///< calls from this one to the next that this rank proposes
};

}  // namespace airamp::pmpi
