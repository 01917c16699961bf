// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <climits>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Whether a count can be given to a function of plain int counts.
constexpr bool fits_int(MPI_Count count) { return count >= INT_MIN && count <= INT_MAX; }

/// What a call of a function that the MPI library does not have comes to: a message, and an MPI error through the
/// communicator's error handler.
int missing_function(const char* name, MPI_Comm comm);

}  // namespace airamp::pmpi
