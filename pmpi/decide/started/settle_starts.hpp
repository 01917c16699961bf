// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/state/started/started_forms.hpp"

namespace airamp::pmpi {

/// Settles how the starts on a communicator go of which there have been enough: asks the MPI library for its order of
/// sums, and measures both ways. Collective, in a call of the application's in which all ranks wait for all, before it.
/// Returns an MPI error code, of an error that the error handler has heard of. Throws std::bad_alloc.
int settle_due_starts(MPI_Comm comm);

/// The same where there are none, mostly. For the functions whose calls are such.
inline int settle_starts(MPI_Comm comm) { return StartedForms::any_due() ? settle_due_starts(comm) : MPI_SUCCESS; }

}  // namespace airamp::pmpi
