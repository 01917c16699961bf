// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/host/start_vote.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// How the ranks of a communicator come to meet in shared memory where the application only makes calls from which
/// natively some of them may return before all have come: no call of theirs can make the first meeting by waiting for
/// all. After some calls rank 0 makes the memory and sends its whereabouts in a broadcast that nobody waits for;
/// whoever finds in a later call that it has come joins, and once all have, they vote from which call on they meet.
///
/// To make the memory and to map it takes 32 ranks as long as some hundred calls. So it is kept when the communicator
/// is freed, and if all had joined, what rank 0 sends for a later one of the same ranks is that they go on in it. Who
/// has it no more, or is at another place in it, does not join. (tests/protocol/kept_meeting.pml)
///
/// Used by one thread at a time, as MPI demands of the collectives of one communicator.
class UnhurriedMeeting {
 public:
  UnhurriedMeeting() noexcept;
  ~UnhurriedMeeting();
  UnhurriedMeeting(const UnhurriedMeeting&) = delete;
  UnhurriedMeeting& operator=(const UnhurriedMeeting&) = delete;

  /// Called in each call of the application that the ranks do not meet in, on all ranks in the same ones: whether they
  /// do from this one on, for the first time. The same on all ranks. Waits for nobody. At most HostMeeting::max_ranks
  /// ranks. `votes`: as of StartVote. MPI may raise an error. Throws std::bad_alloc.
  Result<bool> begins(MPI_Comm comm, int rank, int size, bool votes);

  /// Where the ranks meet, from when on they do; else nullptr.
  HostMeeting* meeting() const noexcept { return begun_ ? meeting_.get() : nullptr; }

  /// Whether some broadcast is under way, on whatever communicator. What follows is needed only then. Thread-safe.
  static bool any_under_way() noexcept;

  /// Before the communicator is freed: whether no broadcast is under way on it any more. Waits for that for so long, as
  /// some MPI libraries cannot free it then. Who finds an invitation joins, for the communicators that follow.
  bool settle(int rank, int size, double patience_seconds) noexcept;

  /// The communicator is to be freed when the broadcast that is under way has ended: `next_to_free` gives it back.
  void free_later(MPI_Comm comm) noexcept;

  /// A communicator that can be freed now; MPI_COMM_NULL if there is none. Thread-safe.
  static MPI_Comm next_to_free() noexcept;

  /// Before MPI_Finalize. Local: a broadcast that is still under way goes on.
  void leave() noexcept;

  /// Lets go of the memory that is kept: before MPI_Finalize. Local.
  static void release_kept() noexcept;

  /// Waits for broadcasts that are still under way: all ranks are in MPI_Finalize.
  static void end_broadcasts() noexcept;

 private:
  enum class Stage : std::uint8_t { counting, invited, joined, absent };
  struct Letter;

  int invite(MPI_Comm comm, int rank, int size);
  int look_for_invitation(int rank, int size);
  bool accept(int rank, int size);
  bool can_be_kept() const noexcept;

  Stage stage_ = Stage::counting;
  bool begun_ = false;
  std::uint64_t calls_ = 0;
  StartVote vote_;
  std::uint64_t members_ = 0;  ///< 0: not known
  std::unique_ptr<HostMeeting> meeting_;
  std::unique_ptr<Letter> letter_;  ///< while the broadcast is under way
};

}  // namespace airamp::pmpi
