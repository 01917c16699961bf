/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* The ranks gather vectors of 16-bit floating-point numbers. MPI sees two bytes; the program says what they hold, if AIRamp
 * is there: the function is weak. */
#include <airamp/airamp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma weak airamp_declare_type

enum { elements = 1 << 20, calls = 20, half_of_one = 0x3800 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Datatype half;
  MPI_Type_contiguous(2, MPI_BYTE, &half);
  MPI_Type_commit(&half);
  if (airamp_declare_type != NULL) airamp_declare_type(half, "float16");

  unsigned short* const own = malloc(elements * sizeof *own);
  unsigned short* const all = malloc((size_t)size * elements * sizeof *all);
  for (int i = 0; i < elements; ++i) own[i] = half_of_one;
  for (int call = 0; call < calls; ++call) MPI_Allgather(own, elements, half, all, elements, half, MPI_COMM_WORLD);
  int wrong = 0;
  for (size_t i = 0; i < (size_t)size * elements; ++i) wrong += all[i] != half_of_one;
  if (rank == 0) printf("%d ranks, %s AIRamp, %d wrong\n", size, airamp_declare_type != NULL ? "with" : "without", wrong);

  free(all);
  free(own);
  MPI_Type_free(&half);
  MPI_Finalize();
  return wrong != 0;
}
