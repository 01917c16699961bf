// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The last rank is killed in the middle of its collectives.
#include <csignal>

#include "mpitests/laws/halves.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const airamp::laws::HalfSum half;
  for (int round = 0; round < 20; ++round) {
    if (round == 10 && rank == ranks - 1) std::raise(SIGKILL);
    airamp::laws::sum_halves(half, MPI_COMM_WORLD, 100000, round);
  }
  MPI_Finalize();
  return 0;
}
