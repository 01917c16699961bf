// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// An MPI operation on halves in elements of two bytes, of our own: the application may free its own at any time. Each
/// application of it rounds once. Freed with its owner; must not outlive MPI_Finalize.
class HalfOperation {
 public:
  HalfOperation() = default;
  ~HalfOperation() {
    if (op_ != MPI_OP_NULL) native().MPI_Op_free(&op_);
  }
  HalfOperation(const HalfOperation&) = delete;
  HalfOperation& operator=(const HalfOperation&) = delete;

  /// `op` of float16 or bfloat16; not a product. Local, once. Returns an MPI error code.
  int create(DataType type, ReduceOp op);

  MPI_Op get() const { return op_; }

 private:
  MPI_Op op_ = MPI_OP_NULL;
};

}  // namespace airamp::pmpi
