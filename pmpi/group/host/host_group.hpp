// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "gpu/location.hpp"
#include "pmpi/group/host/broadcast_ring.hpp"
#include "pmpi/group/host/contribution_ring.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/host/rank_chain.hpp"
#include "pmpi/group/host/running_starts.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/group/memory/shared_segment.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// The ranks of a communicator, or of several hosts those of one, with memory that they share for the data of their
/// collectives. Used by one thread at a time, as MPI demands of the collectives of one communicator.
class HostGroup {
 public:
  /// Of ranks that are known to share a host, `rank` and `size` among them. Collective over the sharers' communicator,
  /// of which each host has a group or none. Empty unless all ranks could. Throws std::bad_alloc.
  static Result<Made<std::unique_ptr<HostGroup>>> create(const Sharers& sharers, int rank, int size);

  /// What tells this group from others, and where the ranks are in it: the same on all ranks that have had the same
  /// calls. Not 0.
  std::uint64_t digest() const noexcept;

  /// Whether another communicator of the same ranks can go on where this one ends.
  bool goes_on() const noexcept;

  /// Gives up the room for starts, of which none is under way; it can be made again.
  void forget_starts() noexcept;

  /// What it takes of the host's shared memory, without room for starts.
  std::size_t shared_bytes() const noexcept;

  int rank() const { return rank_; }
  int size() const { return size_; }

  /// Where the ranks agree, and wait for each other.
  HostMeeting& meeting() { return meeting_; }

  /// Where roots leave short broadcasts; nullptr in jobs with GPUs, whose buffers the host may not reach.
  BroadcastRing* broadcasts() { return broadcasts_ ? &*broadcasts_ : nullptr; }

  /// Where ranks leave short contributions for a root; nullptr in such jobs, where there are many ranks, and where an
  /// order of sums is promised.
  ContributionRing* contributions() { return contributions_ ? &*contributions_ : nullptr; }

  /// Of the longest vector that so many ranks may start here, at most StartRing::max_ranks; in jobs with GPUs these
  /// take the longer ones. The same on all ranks.
  static std::size_t longest_start(int size);

  /// Makes room for starts of vectors of at most so many bytes, if it has not been tried yet; for at most
  /// StartRing::max_ranks. Collective. Whether there is such room, on all ranks.
  Result<bool> make_starts(MPI_Comm comm, std::size_t max_bytes);

  /// What this rank has started there and is not complete; nullptr without `make_starts`. It may outlive the
  /// communicator, and keeps this group then.
  RunningStarts* starts(std::size_t max_bytes) {
    std::optional<RunningStarts>& running = started(max_bytes).running;
    return running ? &*running : nullptr;
  }

  /// A meeting of the ranks. False if one of them is gone, with a line in the log, or the communicator is revoked.
  bool meet() {
    arrive();
    return hear();
  }

  /// Its two halves, for who has something to do in between.
  void arrive() { meeting_.arrive(0); }
  bool hear() { return meeting_.all_say(0) || tell_whether_met(); }

  /// So much of a vector goes through the memory at once; a multiple of 4096, and no more before `widen`.
  std::size_t chunk_bytes() const { return chunk_bytes_; }

  /// Makes room for chunks of long vectors, if it has not been tried yet. Collective, where nothing is under way.
  /// Whether there is such room, on all ranks.
  Result<bool> widen(const Sharers& sharers);

  /// How the ranks hand chunks on, each to the next one; nullptr before `widen`, or without that room.
  RankChain* chain() { return chain_ ? &*chain_ : nullptr; }

  /// A rank's contribution to a chunk, of three that take turns.
  std::byte* contribution(int rank, std::size_t turn) const {
    return place(place_of(turn) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(rank));
  }

  /// Bytes from one rank's contribution to the next rank's.
  std::size_t contribution_stride() const { return chunk_bytes_ + bytes_apart; }

  /// The same where `bytes` bytes are all of it, of the meeting of number `turn`: beside the rank's word, if they fit.
  std::byte* short_contribution(int rank, std::size_t turn, std::size_t bytes) const {
    return bytes <= HostMeeting::max_data_bytes ? meeting_.data(rank, turn) : contribution(rank, turn);
  }

  /// The result of a chunk, of three that take turns.
  std::byte* result(std::size_t turn) const { return place(turns * static_cast<std::size_t>(size_) + place_of(turn)); }

  /// After a call of two meetings whose places nobody reads behind the second: the next call has the same ones, which
  /// are still in the caches. On all ranks.
  void keep_places() { shift_ = (shift_ + turns - 2) % turns; }

 private:
  /// Room for starts.
  struct Started {
    SharedSegment segment;
    std::optional<RunningStarts> running;  ///< in that
    bool tried = false;

    void forget() noexcept;
  };

  HostGroup(int rank, int size);
  Started& started(std::size_t max_bytes) {
    return max_bytes <= StartRing::for_short.max_bytes ? short_started_ : long_started_;
  }
  bool tell_whether_met();
  static constexpr std::size_t turns = 3;
  /// Between chunks: those that begin at the same place of a page keep each other out of a first-level cache.
  static constexpr std::size_t bytes_apart = 128;

  std::size_t place_of(std::size_t turn) const { return (turn + shift_) % turns; }
  std::byte* place(std::size_t chunk) const { return chunks_ + chunk * contribution_stride(); }
  std::size_t chunks() const { return turns * (static_cast<std::size_t>(size_) + 1); }
  Result<bool> open(const Sharers& sharers);
  Result<bool> open(SharedSegment& segment, const Sharers& sharers, std::size_t chunk_bytes, std::size_t bytes_behind);

  int rank_;
  int size_;
  HostMeeting meeting_;
  std::optional<BroadcastRing> broadcasts_;        ///< in `narrow_`, behind the chunks
  std::optional<ContributionRing> contributions_;  ///< behind that
  SharedSegment narrow_;
  SharedSegment wide_;
  std::optional<RankChain> chain_;  ///< in that, behind the chunks
  Started short_started_;
  Started long_started_;
  bool tried_to_widen_ = false;
  std::size_t shift_ = 0;        ///< of the places' turns against the meetings'
  std::byte* chunks_ = nullptr;  ///< those of the latter, if it is open
  std::size_t chunk_bytes_ = 0;
};

}  // namespace airamp::pmpi
