// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Puts `bytes` bytes of a message, as it was sent from packed memory, into `count` elements of `type`, as MPI_Recv
/// would: what is left of the buffer, gaps included, stays untouched. `comm`: to whose error handler an error of the
/// MPI library goes. Returns an MPI error code; MPI_ERR_TRUNCATE, which nobody has raised, if there is room for less.
/// Thread-safe. Throws std::bad_alloc.
int unpack(const std::byte* data, std::size_t bytes, void* buffer, MPI_Count count, MPI_Datatype type, MPI_Comm comm);

}  // namespace airamp::pmpi
