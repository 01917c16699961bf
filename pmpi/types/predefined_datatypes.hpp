// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {

/// Adds the predefined datatypes of C, and those of Fortran that equal them. Called once in MPI_Init, before any
/// look-up. `comm` is asked how large the latter are; it returns errors, of which there is one for each type that the
/// MPI library lacks. Without one (MPI_COMM_NULL) there are none of Fortran.
void fill_predefined_datatypes(MPI_Comm comm);

/// The predefined datatype of this handle, or nullptr. Lock-free: the table does not change after it was filled.
const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept;

}  // namespace airamp::pmpi
