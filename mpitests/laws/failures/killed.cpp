// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The last rank is killed, or with the argument "abort" ends the job by MPI_Abort, in the middle of its collectives:
// when they are learnt, and receives wait for the next one.
#include <csignal>
#include <cstring>

#include "mpitests/laws/halves.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const airamp::laws::HalfSum half;
  const bool aborts = argc > 1 && std::strcmp(argv[1], "abort") == 0;
  for (int round = 0; round < 60; ++round) {
    if (round == 50 && rank == ranks - 1) {
      if (aborts) MPI_Abort(MPI_COMM_WORLD, 3);
      std::raise(SIGKILL);
    }
    airamp::laws::sum_halves(half, MPI_COMM_WORLD, 100000, round);
  }
  MPI_Finalize();
  return 0;
}
