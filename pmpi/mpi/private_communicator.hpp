// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// A communicator of our own with the ranks of the user's, or a part of them, so that our messages never meet the
/// application's. It returns errors instead of raising them. Freed with its owner, which must not outlive MPI_Finalize.
class PrivateCommunicator {
 public:
  PrivateCommunicator() = default;
  ~PrivateCommunicator() { free(); }
  PrivateCommunicator(const PrivateCommunicator&) = delete;
  PrivateCommunicator& operator=(const PrivateCommunicator&) = delete;

  /// Collective over `users`: with the ranks that say the same `part`, in the order of `rank`. A split and not a
  /// duplicate: a duplicate would run the attribute callbacks of the application and of its libraries.
  int create(MPI_Comm users, int rank, int part = 0) {
    const int error = native().Comm_split(users, part, rank, &comm_);
    if (error != MPI_SUCCESS) return error;
    return native().Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
  }

  void free() {
    if (!exists()) return;
    native().MPI_Comm_free(&comm_);
  }

  /// Local: communication on it fails from now on, on all ranks, with the class MPIX_ERR_REVOKED.
  void revoke() {
    if (exists() && native().MPIX_Comm_revoke != nullptr) native().MPIX_Comm_revoke(comm_);
  }

  bool exists() const { return comm_ != MPI_COMM_NULL; }
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace airamp::pmpi
