// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/agree.hpp"

#include <cmath>
#include <limits>

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {
namespace {

double comparable(double value) { return std::isnan(value) ? std::numeric_limits<double>::infinity() : value; }

}  // namespace

int agree_on_success(MPI_Comm comm, bool ok, bool& all_ok) {
  int least = 0;
  const int error = agree_on_least(comm, ok ? 1 : 0, least);
  all_ok = least == 1;
  return error;
}

int agree_on_least(MPI_Comm comm, int own, int& least) {
  least = own;
  return native().MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm);
}

int agree_on_times(MPI_Comm comm, std::vector<double>& values) {
  for (double& value : values) value = comparable(value);
  return native().MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX,
                                comm);
}

}  // namespace airamp::pmpi
