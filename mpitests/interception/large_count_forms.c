/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* The large-count forms (MPI 4) of the accelerated collectives, blocking and nonblocking. */
#include <string.h>

#include "collectives.h"
#include "tally.h"

#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
void call_large_count_forms(int rank, int ranks) {
  enum { stride = elements + 3 };
  int send[elements], receive[max_ranks * stride];
  MPI_Count counts[max_ranks];
  MPI_Aint displacements[max_ranks];
  MPI_Request request;
  fill(send, rank);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = elements;
    displacements[r] = r * stride;
  }

  for (int repetition = 0; repetition < 2; ++repetition) {
    memset(receive, 0, sizeof receive);
    COUNTED(MPI_Allreduce_c, send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect_sum(receive, ranks, "result of MPI_Allreduce_c");
  }
  fill(receive, rank);
  COUNTED(MPI_Allreduce_c, MPI_IN_PLACE, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_sum(receive, ranks, "result of MPI_Allreduce_c in place");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallreduce_c, send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_sum(receive, ranks, "result of MPI_Iallreduce_c");

  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allgather_c, send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgather_c");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallgather_c, send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_gathered(receive, ranks, elements, "result of MPI_Iallgather_c");

  memset(receive, 0, sizeof receive);
  fill(receive + rank * stride, rank);
  COUNTED(MPI_Allgatherv_c, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, counts, displacements, MPI_INT,
          MPI_COMM_WORLD);
  expect_gathered(receive, ranks, stride, "result of MPI_Allgatherv_c in place");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallgatherv_c, send, elements, MPI_INT, receive, counts, displacements, MPI_INT, MPI_COMM_WORLD,
          &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_gathered(receive, ranks, stride, "result of MPI_Iallgatherv_c");
}
#else
void call_large_count_forms(int rank, int ranks) {
  (void)rank;
  (void)ranks;
}
#endif
