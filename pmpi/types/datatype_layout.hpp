// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Whether `type` is predefined: named, or one that MPI_Type_create_f90_real and its kind return. Those are never
/// freed. Thread-safe.
bool is_predefined_type(MPI_Datatype type) noexcept;

/// Whether elements of `type` lie in memory as they are sent: predefined ones without holes, and runs of such.
/// Thread-safe.
bool is_packed(MPI_Datatype type) noexcept;

}  // namespace airamp::pmpi
