// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Agreements on single facts, each inside a collective call of the application's on its communicator. Every function
/// is collective and costs one small allreduce.

/// Whether `ok` holds on all ranks.
Result<bool> agree_on_success(MPI_Comm comm, bool ok);

/// The least that a rank says.
Result<int> agree_on_least(MPI_Comm comm, int own);

}  // namespace airamp::pmpi
