/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* Allreduce, Allgather and Allgatherv: blocking, in place, nonblocking. */
#include <string.h>

#include "collectives.h"
#include "tally.h"

int fill_value(int rank, int i) { return 100 * (rank + 1) + 7 * i; }

void fill(int* data, int rank) {
  for (int i = 0; i < elements; ++i) data[i] = fill_value(rank, i);
}

void expect_sum(const int* data, int ranks, const char* what) {
  for (int i = 0; i < elements; ++i) {
    int sum = 0;
    for (int r = 0; r < ranks; ++r) sum += fill_value(r, i);
    tally_expect(data[i] == sum, what);
  }
}

void expect_gathered(const int* data, int ranks, int stride, const char* what) {
  for (int r = 0; r < ranks; ++r)
    for (int i = 0; i < elements; ++i) tally_expect(data[r * stride + i] == fill_value(r, i), what);
}

void call_allreduce_forms(int rank, int ranks) {
  int send[elements], receive[elements];
  MPI_Request request;
  fill(send, rank);
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allreduce, send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_sum(receive, ranks, "result of MPI_Allreduce");

  fill(receive, rank);
  COUNTED(MPI_Allreduce, MPI_IN_PLACE, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  expect_sum(receive, ranks, "result of MPI_Allreduce in place");

  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallreduce, send, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_sum(receive, ranks, "result of MPI_Iallreduce");

  fill(receive, rank);
  COUNTED(MPI_Iallreduce, MPI_IN_PLACE, receive, elements, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_sum(receive, ranks, "result of MPI_Iallreduce in place");
}

void call_gather_forms(int rank, int ranks) {
  enum { stride = elements + 2 };
  int send[elements], receive[max_ranks * stride], counts[max_ranks], displacements[max_ranks];
  MPI_Request request;
  fill(send, rank);
  for (int r = 0; r < ranks; ++r) {
    counts[r] = elements;
    displacements[r] = r * stride;
  }

  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allgather, send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgather");
  memset(receive, 0, sizeof receive);
  fill(receive + rank * elements, rank);
  COUNTED(MPI_Allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, elements, MPI_INT, MPI_COMM_WORLD);
  expect_gathered(receive, ranks, elements, "result of MPI_Allgather in place");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallgather, send, elements, MPI_INT, receive, elements, MPI_INT, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_gathered(receive, ranks, elements, "result of MPI_Iallgather");

  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Allgatherv, send, elements, MPI_INT, receive, counts, displacements, MPI_INT, MPI_COMM_WORLD);
  expect_gathered(receive, ranks, stride, "result of MPI_Allgatherv");
  memset(receive, 0, sizeof receive);
  fill(receive + rank * stride, rank);
  COUNTED(MPI_Allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, counts, displacements, MPI_INT, MPI_COMM_WORLD);
  expect_gathered(receive, ranks, stride, "result of MPI_Allgatherv in place");
  memset(receive, 0, sizeof receive);
  COUNTED(MPI_Iallgatherv, send, elements, MPI_INT, receive, counts, displacements, MPI_INT, MPI_COMM_WORLD, &request);
  COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);
  expect_gathered(receive, ranks, stride, "result of MPI_Iallgatherv");
}
