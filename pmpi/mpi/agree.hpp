// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Agreements on single facts, each inside a collective call of the application's on its communicator. Every function
/// is collective and costs one small allreduce.

/// Whether `ok` holds on all ranks.
Result<bool> agree_on_success(MPI_Comm comm, bool ok);

/// The least that a rank says.
Result<int> agree_on_least(MPI_Comm comm, int own);

/// Of times and errors the largest of all ranks; NaN counts as infinite.
Result<std::vector<double>> agree_on_times(MPI_Comm comm, std::vector<double> values);

}  // namespace airamp::pmpi
