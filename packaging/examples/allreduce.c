/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* A plain MPI program: the ranks add their numbers, and each checks the sum. */
#include <mpi.h>
#include <stdio.h>

enum { calls = 1000, elements = 4 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int wrong = 0;
  for (int call = 0; call < calls; ++call) {
    double values[elements];
    double sums[elements];
    for (int i = 0; i < elements; ++i) values[i] = rank + i + call;
    MPI_Allreduce(values, sums, elements, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < elements; ++i) {
      wrong += sums[i] != size * (size - 1) / 2.0 + size * (double)(i + call);
    }
  }
  if (rank == 0) printf("%d ranks, %d sums, %d wrong\n", size, calls * elements, wrong);
  MPI_Finalize();
  return wrong != 0;
}
