// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/host/start_carrier.hpp"
#include "pmpi/group/host/start_ring.hpp"
#include "pmpi/mpi/mpi_progress.hpp"

namespace airamp::pmpi {

/// One collective that this rank has started. Stays where it is while it runs.
struct Start {
  std::shared_ptr<StartCarrier> carrier;  ///< nullptr: there are no data
  StartBuffers buffers;
  bool is_lost = false;  ///< this rank could not leave its vector
  std::uint64_t number = 0;
  std::atomic<bool> runs{false};
  int error = MPI_SUCCESS;  ///< once it does not run any more
};

/// What this rank has started on a communicator whose ranks share memory, until it is complete: StartRing. Other ranks
/// wait for none of it. Starts follow each other as MPI demands; any thread may complete them meanwhile.
class RunningStarts {
 public:
  /// `memory`: StartRing::shared_bytes of it, zero at first. `meeting`: of the same ranks; it must outlive this.
  RunningStarts(std::byte* memory, HostMeeting& meeting, int rank, int size, const StartRing::Division& division);

  /// Local, once. Returns an MPI error code.
  int open() { return progress_.start(); }

  /// Starts a collective. False, on all ranks, if the MPI library is to start it. `wanted`: whether this rank wants it
  /// to be started here. `start` has its carrier and its buffers, and does not run.
  bool start(bool wanted, Start& start) noexcept;

  /// Goes on past the next start if it is the MPI library's, as was decided before; whether it is. Else `start` must
  /// follow, and so it may without this.
  bool skip() noexcept;

  /// Whether it is complete. Never waits.
  bool is_complete(const Start& start) noexcept;

  /// Whether all ranks are done with all that this one has started.
  bool are_all_done() const noexcept { return ring_.are_all_done(); }

  /// The same; if it is not, keeps the MPI library going, and looks from time to time whether it ever will be.
  bool test(const Start& start) noexcept;

  /// Waits for it, and keeps the MPI library going. Returns its error, an MPI error code, which nobody has raised.
  int wait(const Start& start) noexcept;

  /// Keeps the MPI library going. For any thread.
  void progress() noexcept;

 private:
  std::unique_lock<std::mutex> lock() noexcept;
  void advance() noexcept;
  void end(int error) noexcept;
  int deliver(Start& start) noexcept;
  void look_for_failures() noexcept;

  HostMeeting& meeting_;
  MpiProgress progress_;
  std::atomic_flag progresses_;
  std::mutex mutex_;  ///< of what follows, where several threads call MPI
  StartRing ring_;
  int size_;
  std::array<Start*, StartRing::most_places> running_{};  ///< by number
  std::uint64_t oldest_ = 1;                              ///< of those that run
  bool failed_ = false;
  std::atomic<unsigned> tests_{0};  ///< in vain
  int asked_about_ = 0;             ///< whose process was, whether it has ended
};

}  // namespace airamp::pmpi
