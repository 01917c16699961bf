// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "pmpi/device/wire_buffer.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Lossless allreduce of GPU buffers among ranks on different hosts, over MPI. Each element is reduced by one rank, in
/// rank order, so that all get the same bits and the next run gets them as well. Used by one thread at a time.
class Rail {
 public:
  /// `comm`: the private communicator of its `ranks` ranks; must outlive this object. Throws std::bad_alloc.
  Rail(MPI_Comm comm, int ranks, GpuDevice& device);

  /// Collective, in place in device memory. `well`: this rank's GPU works; else it is left alone. Returns an MPI error
  /// code: where it does not, or a copy fails, this rank alone has an error, and what the others have is undefined.
  int allreduce(DataType type, ReduceOp op, std::byte* data, std::size_t elements, bool well);

 private:
  int exchange(DataType type, ReduceOp op, std::size_t piece_elements);

  MPI_Comm comm_;
  std::size_t ranks_;
  GpuDevice& device_;
  WireBuffer staging_;  ///< a chunk of the data: a piece for each rank
  std::vector<std::byte> received_;
  std::vector<const std::byte*> contributions_;  ///< to one's own piece, by rank
  std::size_t own_;
};

}  // namespace airamp::pmpi
