// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// In MPICH a duplicate of MPI_COMM_WORLD, if that has never been given an error handler, has none either and goes by
// whatever handler MPI_COMM_WORLD has when a mistake is made. Programs rely on it, against the standard.
#include <mpi.h>

#include "mpitests/laws/halves.hpp"
#include "mpitests/laws/run.hpp"

namespace airamp::laws {

void run() {
  MPI_Comm duplicate = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  require(MPI_Comm_split(duplicate, 0, 0, nullptr) != MPI_SUCCESS, "a mistake on a duplicate is returned");
  MPI_Comm_free(&duplicate);
}

}  // namespace airamp::laws
