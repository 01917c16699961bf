// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_Pcontrol on one rank alone: no rank may wait for another that went a different way.
#include "mpitests/laws/halves.hpp"

int main(int argc, char** argv) {
  using airamp::laws::sum_halves;
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  {
    const airamp::laws::HalfSum half;
    for (const int alone : {0, 1}) {
      // Before any agreement on this size, and in the middle of its use.
      for (const std::size_t count : {std::size_t{50000}, std::size_t{400000}}) {
        if (rank == alone) MPI_Pcontrol(0);
        for (int round = 0; round < 4; ++round) sum_halves(half, MPI_COMM_WORLD, count, round);
        if (rank == alone) MPI_Pcontrol(1);
        for (int round = 0; round < 4; ++round) sum_halves(half, MPI_COMM_WORLD, count, round);
        if (rank == alone) MPI_Pcontrol(0);
        for (int round = 0; round < 4; ++round) sum_halves(half, MPI_COMM_WORLD, count, round);
        if (rank == alone) MPI_Pcontrol(1);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
