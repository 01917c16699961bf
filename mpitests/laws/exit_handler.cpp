// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// MPI_Finalize, and collectives before it, in an exit handler that was registered before MPI_Init, as interpreters do:
// what other libraries made since then is destroyed before it runs.
#include <mpi.h>
#include <unistd.h>

#include <cstdlib>

#include "mpitests/laws/halves.hpp"

namespace {

constexpr std::size_t count = 20000;
airamp::laws::HalfSum* half = nullptr;

void finalize() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized != 0) return;
  airamp::laws::sum_halves(*half, MPI_COMM_WORLD, count, 0);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  airamp::laws::sum_halves(*half, copy, 2 * count, 0);
  MPI_Comm_free(&copy);
  delete half;
  MPI_Finalize();
}

}  // namespace

int main(int argc, char** argv) {
  std::atexit(finalize);
  MPI_Init(&argc, &argv);
  half = new airamp::laws::HalfSum;
  for (int round = 0; round < 60; ++round) airamp::laws::sum_halves(*half, MPI_COMM_WORLD, count, round);
  return 0;
}
