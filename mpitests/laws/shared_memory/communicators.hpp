// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace airamp::laws {

inline int rank_in(MPI_Comm communicator) {
  int rank = 0;
  MPI_Comm_rank(communicator, &rank);
  return rank;
}

inline int size_of(MPI_Comm communicator) {
  int size = 0;
  MPI_Comm_size(communicator, &size);
  return size;
}

/// Runs `test` on all ranks, and on every second one in reversed order.
template <class Test>
void on_communicators(const Test& test) {
  test(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank_in(MPI_COMM_WORLD) % 2, -rank_in(MPI_COMM_WORLD), &half);
  test(half);
  MPI_Comm_free(&half);
}

}  // namespace airamp::laws
