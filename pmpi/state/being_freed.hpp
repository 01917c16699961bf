// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// While alive: this thread is freeing a communicator. Meanwhile the application's attribute callbacks may still make
/// collectives on it, which are native; nothing is to be attached to it any more. Thread-safe.
class BeingFreed {
 public:
  /// Throws std::bad_alloc.
  explicit BeingFreed(MPI_Comm comm);
  ~BeingFreed();
  BeingFreed(const BeingFreed&) = delete;
  BeingFreed& operator=(const BeingFreed&) = delete;

  /// Whether this thread is freeing `comm`. Another thread may have got the same handle for a new communicator already.
  static bool includes(MPI_Comm comm) noexcept;

 private:
  MPI_Comm comm_;
};

}  // namespace airamp::pmpi
