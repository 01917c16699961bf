// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "pmpi/device/gpu_device.hpp"
#include "pmpi/group/host/host_meeting.hpp"
#include "pmpi/group/host/start_ring.hpp"
#include "pmpi/mpi/mpi_progress.hpp"

namespace airamp::pmpi {

/// What becomes of the vectors of all ranks.
class StartResult {
 public:
  StartResult() = default;
  virtual ~StartResult() = default;
  StartResult(const StartResult&) = delete;
  StartResult& operator=(const StartResult&) = delete;

  /// `vectors`: rank 0's, aligned to 16; each other lies StartRing::stride bytes behind the one before it. By one
  /// thread of a communicator's at a time.
  virtual void take(const std::byte* vectors, std::byte* output) noexcept = 0;
};

/// Where this rank's result of a collective goes.
struct StartOutput {
  std::byte* memory = nullptr;
  std::size_t bytes = 0;     ///< as many as this rank gives; at most StartRing::max_bytes
  GpuDevice* gpu = nullptr;  ///< that holds the memory; nullptr: the host reaches it
  bool is_lost = false;      ///< a GPU could not give what the others were to have, or cannot take the result
};

/// One collective that this rank has started and its result. Stays where it is while it runs.
struct Start {
  std::shared_ptr<StartResult> result;  ///< nullptr: there is none
  StartOutput output;
  std::uint64_t number = 0;
  std::atomic<bool> runs{false};
  int error = MPI_SUCCESS;  ///< once it does not run any more
};

/// What this rank has started on a communicator whose ranks share memory, until it is complete: StartRing. Other ranks
/// wait for none of it. Starts follow each other as MPI demands; any thread may complete them meanwhile.
class RunningStarts {
 public:
  /// `memory`: StartRing::shared_bytes of it, zero at first. `meeting`: of the same ranks; it must outlive this.
  RunningStarts(std::byte* memory, HostMeeting& meeting, int rank, int size);

  /// Local, once. Returns an MPI error code.
  int open() { return progress_.start(); }

  /// Starts a collective in which this rank has `input` for the others, on the host. False, on all ranks, if the MPI
  /// library is to start it. `wanted`: whether this rank wants it to be started here. `start` has its result and its
  /// output, and does not run. With an output that is lost it ends with MPI_ERR_BUFFER.
  bool start(bool wanted, const void* input, Start& start) noexcept;

  /// Goes on past the next start if it is the MPI library's, as was decided before; whether it is. Else `start` must
  /// follow, and so it may without this.
  bool skip() noexcept;

  /// Whether it is complete. Never waits.
  bool is_complete(const Start& start) noexcept;

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
  std::array<Start*, StartRing::places> running_{};  ///< by number
  std::uint64_t oldest_ = 1;                         ///< of those that run
  bool failed_ = false;
  std::atomic<unsigned> tests_{0};  ///< in vain
  int asked_about_ = 0;             ///< whose process was, whether it has ended
};

}  // namespace airamp::pmpi
