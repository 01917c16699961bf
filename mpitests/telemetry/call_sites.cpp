// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls MPI from several places: what call_sites.py is to find.
#include <mpi.h>

namespace {

[[gnu::noinline]] void add_up(double& value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  __asm__ volatile("");  // not the last thing that the function does, so that it stays on the stack
}

[[gnu::noinline]] void first_phase(double& value) {
  for (int i = 0; i < 30; ++i) add_up(value);
}

[[gnu::noinline]] void second_phase(double& value) {
  for (int i = 0; i < 12; ++i) add_up(value);
}

[[gnu::noinline]] void send_around(int rank, int size) {
  int number = rank;
  MPI_Sendrecv_replace(&number, 1, MPI_INT, (rank + 1) % size, 0, (rank + size - 1) % size, 0, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  __asm__ volatile("");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  double value = 1e-9 * rank;
  first_phase(value);
  second_phase(value);
  send_around(rank, size);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
