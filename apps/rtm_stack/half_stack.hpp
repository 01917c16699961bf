// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>

#include "half.hpp"

namespace rtm_stack {

/// Sums vectors of binary16 numbers over the ranks. MPI has no such type, so it is made the usual way: two contiguous
/// bytes and an operation of our own. Lives between MPI_Init and MPI_Finalize.
class HalfStack {
 public:
  HalfStack();
  ~HalfStack();
  HalfStack(const HalfStack&) = delete;
  HalfStack& operator=(const HalfStack&) = delete;

  /// Collective: `sum` gets the sum of all ranks' contributions, `count` numbers (below 2^31, equal on all ranks) in
  /// host memory, or in any other that MPI takes.
  void allreduce(const void* contribution, void* sum, std::size_t count, MPI_Comm communicator) const;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  MPI_Op sum_ = MPI_OP_NULL;
};

}  // namespace rtm_stack
