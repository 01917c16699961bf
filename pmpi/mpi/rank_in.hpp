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

/// Whether it is an inter-communicator. Local.
inline bool is_between_groups(MPI_Comm comm) {
  int inter = 0;
  native().Comm_test_inter(comm, &inter);
  return inter != 0;
}

/// How many ranks each one exchanges blocks with, itself among them; between groups those of the other one. Local.
inline int partners_in(MPI_Comm comm) {
  if (!is_between_groups(comm)) return ranks_in(comm);
  int partners = 0;
  native().Comm_remote_size(comm, &partners);
  return partners;
}

}  // namespace airamp::pmpi
