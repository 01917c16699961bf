// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "gpu/data_type.hpp"
#include "pmpi/algorithm/shared_memory/summation_tree.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Finds out in which order the MPI library's MPI_Allreduce adds the contributions of the ranks to vectors of
/// `elements` elements of `type`, float32 or float64, by asking it: rank i gives 2^80, rank j -2^80, all others 1, and
/// the sum says how many were added after those two had met. Different elements ask of different pairs. `tree` is
/// empty, on all ranks, if there was no memory or the order is not the same wherever it was looked at.
///
/// Collective over `comm`, within a call of the application's on it; takes at least one MPI_Allreduce of that length.
/// Returns an MPI error code.
int reveal_order(MPI_Comm comm, int rank, int ranks, gpu::DataType type, std::size_t elements,
                 std::optional<SummationTree>& tree);

}  // namespace airamp::pmpi
