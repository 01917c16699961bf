// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/fault_tolerance.hpp"

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

bool job_survives_failures() noexcept {
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
  const int* enabled = nullptr;
  int found = 0;
  return native().Comm_get_attr(MPI_COMM_WORLD, MPI_FT, &enabled, &found) == MPI_SUCCESS && found != 0 && *enabled != 0;
#else
  // MPICH has MPIX_Comm_revoke, but its devices stop the program there
  return false;
#endif
}

}  // namespace airamp::pmpi
