// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Agreements on single facts, each inside a collective call of the application's on its communicator. Every function
/// is collective, costs one small allreduce, and returns an MPI error code.

/// Whether `ok` holds on all ranks.
int agree_on_success(MPI_Comm comm, bool ok, bool& all_ok);

/// The least that a rank says.
int agree_on_least(MPI_Comm comm, int own, int& least);

/// Replaces times and errors by the largest of all ranks; NaN counts as infinite.
int agree_on_times(MPI_Comm comm, std::vector<double>& values);

}  // namespace airamp::pmpi
