// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi.hpp"

namespace airamp::pmpi {

/// Takes the keys airamp_compress (true, false) and airamp_max_relative_error (0 to 1) from the info that the
/// application sets on `comm`. They count if all ranks gave the same. Collective over `comm`, as MPI_Comm_set_info is.
/// Returns an MPI error code.
int take_policy(MPI_Comm comm, MPI_Info info);

}  // namespace airamp::pmpi
