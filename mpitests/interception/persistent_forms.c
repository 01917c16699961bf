/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* The persistent forms (MPI 4, or Open MPI 4's extension) of the accelerated collectives: each is started twice. */
#include <string.h>

#include "collectives.h"
#include "tally.h"

#if defined(AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
#define PERSISTENT(X) MPIX_##X##_init
#elif defined(AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES)
#define PERSISTENT(X) MPI_##X##_init
#endif

#ifdef PERSISTENT
void call_persistent_forms(int rank, int ranks) {
  int send[elements], receive[max_ranks * elements], counts[max_ranks], displacements[max_ranks];
  MPI_Request request;
  fill(send, rank);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = elements;
    displacements[r] = r * elements;
  }

  memset(receive, 0, sizeof receive);
  COUNTED(PERSISTENT(Allreduce), send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  start_and_free(&request);
  expect_sum(receive, ranks, "result of MPI_Allreduce_init");
  memset(receive, 0, sizeof receive);
  COUNTED(PERSISTENT(Allgather), send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
          &request);
  start_and_free(&request);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgather_init");
  memset(receive, 0, sizeof receive);
  COUNTED(PERSISTENT(Allgatherv), send, elements, MPI_INT, receive, counts, displacements, MPI_INT, MPI_COMM_WORLD,
          MPI_INFO_NULL, &request);
  start_and_free(&request);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgatherv_init");

#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  MPI_Count large_counts[max_ranks];
  MPI_Aint large_displacements[max_ranks];
  for (int r = 0; r < ranks; ++r) {
    large_counts[r] = elements;
    large_displacements[r] = r * elements;
  }
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allreduce_init_c, send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  start_and_free(&request);
  expect_sum(receive, ranks, "result of MPI_Allreduce_init_c");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allgather_init_c, send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
          &request);
  start_and_free(&request);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgather_init_c");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allgatherv_init_c, send, elements, MPI_INT, receive, large_counts, large_displacements, MPI_INT,
          MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  start_and_free(&request);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgatherv_init_c");
#endif
}
#else
void call_persistent_forms(int rank, int ranks) {
  (void)rank;
  (void)ranks;
}
#endif
