// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/agree.hpp"

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

Result<bool> agree_on_success(MPI_Comm comm, bool ok) {
  const Result<int> least = agree_on_least(comm, ok ? 1 : 0);
  if (!least.ok()) return MpiError{least.error()};
  return *least == 1;
}

Result<int> agree_on_least(MPI_Comm comm, int own) {
  int least = own;
  const int error = native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
  if (error != MPI_SUCCESS) return MpiError{error};
  return least;
}

}  // namespace airamp::pmpi
