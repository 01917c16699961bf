// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// Keeps the MPI library going while this rank waits for something else: another rank may still need our side to
/// complete a message, and a rank that waits for that one would wait for ever. Used by one thread at a time. Must not
/// outlive MPI_Finalize.
class MpiProgress {
 public:
  MpiProgress() = default;
  ~MpiProgress() { stop(); }
  MpiProgress(const MpiProgress&) = delete;
  MpiProgress& operator=(const MpiProgress&) = delete;

  /// Local. Returns an MPI error code.
  int start() {
    return native().Grequest_start([](void*, MPI_Status*) { return MPI_SUCCESS; }, [](void*) { return MPI_SUCCESS; },
                                   [](void*, int) { return MPI_SUCCESS; }, nullptr, &request_);
  }

  /// A test of a request that is not complete is what MPI libraries do progress in, whatever messages are waiting.
  /// (MPICH does none in a probe of MPI_COMM_SELF, nor in one that finds a message.)
  void once() noexcept {
    int done = 0;
    native().MPI_Test(&request_, &done, MPI_STATUS_IGNORE);
  }

  void stop() noexcept {
    if (request_ == MPI_REQUEST_NULL) return;
    if (native().Grequest_complete(request_) == MPI_SUCCESS) native().MPI_Wait(&request_, MPI_STATUS_IGNORE);
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;  ///< not complete until `stop`
};

}  // namespace airamp::pmpi
