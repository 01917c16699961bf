// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

namespace airamp::device_tests {

/// Ends the job with a message on stderr if `right` does not hold.
void require(bool right, const std::string& what);

/// Ends the job if not all ranks of MPI_COMM_WORLD have the same bytes. Collective.
void require_same_bits(const std::byte* data, std::size_t bytes);

/// In MPI_COMM_WORLD, unless another is named.
int rank_in(MPI_Comm communicator = MPI_COMM_WORLD);
int size_of(MPI_Comm communicator = MPI_COMM_WORLD);

}  // namespace airamp::device_tests
