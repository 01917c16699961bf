// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// This rank's number in a communicator. Local.
inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  native().Comm_rank(comm, &rank);
  return rank;
}

/// How many ranks a communicator has; between groups those of this rank's own. Local.
inline int ranks_in(MPI_Comm comm) {
  int ranks = 0;
  native().Comm_size(comm, &ranks);
  return ranks;
}

}  // namespace airamp::pmpi
