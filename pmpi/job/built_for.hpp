// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Whose mpi.h AIRamp was built with: Open MPI's, or MPICH's.
#ifdef OPEN_MPI
inline constexpr bool built_for_open_mpi = true;
#else
inline constexpr bool built_for_open_mpi = false;
#endif

}  // namespace airamp::pmpi
