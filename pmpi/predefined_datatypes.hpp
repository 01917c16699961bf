// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/datatype_info.hpp"

namespace airamp::pmpi {

/// Adds C's predefined datatypes, which have the same size everywhere. Fortran's are looked at when they are used: a
/// library may lack them, and asks of a handle that it does not have are errors. Called once, before any look-up.
void fill_predefined_datatypes();

/// The predefined datatype of this handle, or nullptr. Lock-free: the table does not change after it was filled.
const DatatypeInfo* find_predefined_datatype(MPI_Datatype type) noexcept;

}  // namespace airamp::pmpi
