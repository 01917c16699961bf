// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>

namespace airamp::device_tests {

/// Ends the job with a message on stderr if `right` does not hold.
void require(bool right, const std::string& what);

/// In MPI_COMM_WORLD, unless another is named.
int rank_in(MPI_Comm communicator = MPI_COMM_WORLD);
int size_of(MPI_Comm communicator = MPI_COMM_WORLD);

}  // namespace airamp::device_tests
