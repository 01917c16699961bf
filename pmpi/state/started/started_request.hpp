// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/call/started/copied_start.hpp"
#include "pmpi/call/started/start_arguments.hpp"
#include "pmpi/group/host/running_starts.hpp"
#include "pmpi/mpi/persistent_request.hpp"

namespace airamp::pmpi {

/// A request that the application has for a collective that AIRamp has started, in memory that the ranks share or by
/// the MPI library on copies of its buffers.
///
/// To the MPI library it is a persistent request that is inactive: of a persistent collective its own, of a nonblocking
/// one a send to itself that is never started. So all functions of MPI take it, and those that look whether requests
/// are complete are AIRamp's hooks. (The library's own persistent request is active while it runs on copies.)
struct StartedRequest {
  Start start;
  std::shared_ptr<RunningStarts> starts;  ///< where it runs, if it does so in memory that the ranks share
  std::unique_ptr<CopiedStart> copied;    ///< with which it may run by the MPI library
  bool is_on_copies = false;              ///< and does so
  bool is_raised = false;                 ///< the MPI library has raised its error already
  MPI_Comm comm = MPI_COMM_NULL;          ///< whose error handler hears of it
  PersistentRequest own;                  ///< of a nonblocking collective
  MPI_Request request = MPI_REQUEST_NULL;
  bool is_persistent = false;
  bool may_be_shared = false;  ///< a persistent one: its starts may go through shared memory
  StartArguments arguments;    ///< of each start, if it is; without a communicator once that is freed

  /// Whether it is complete. Never waits for other ranks.
  bool is_complete() noexcept { return is_on_copies ? are_copies_complete() : starts->is_complete(start); }

  /// The same; if it is not, keeps the MPI library going, and looks from time to time whether it ever will be.
  bool test() noexcept { return is_on_copies ? are_copies_complete() : starts->test(start); }

  /// Waits for it, and keeps the MPI library going.
  void wait() noexcept;

  /// Starts it on the copies that it has, which hold what is to be reduced. `start`: has the MPI library do so, and
  /// returns an MPI error code, as this does.
  template <class StartNatively>
  int start_on_copies(MPI_Comm of, const StartNatively& start_natively) {
    const int error = start_natively(*copied);
    if (error != MPI_SUCCESS) return error;
    comm = of;
    is_on_copies = true;
    is_raised = false;
    start.error = MPI_SUCCESS;
    start.runs.store(true, std::memory_order_relaxed);
    return MPI_SUCCESS;
  }

 private:
  bool are_copies_complete() noexcept;
  void end_on_copies(int error) noexcept;
};

}  // namespace airamp::pmpi
