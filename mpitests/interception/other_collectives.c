/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* The collectives that are only seen and passed through, in every form that the MPI library has. */
#include <string.h>

#include "collectives.h"
#include "tally.h"

/* Starts a persistent request twice and frees it. */
void start_and_free(MPI_Request* request) {
  for (int repetition = 0; repetition < 2; ++repetition) {
    COUNTED(MPI_Start, request);
    COUNTED(MPI_Wait, request, MPI_STATUS_IGNORE);
  }
  COUNTED(MPI_Request_free, request);
}

/* Every rank receives from its left neighbour first, then from itself: two neighbours even if there are two ranks. */
static MPI_Comm create_ring(int rank, int ranks) {
  const int sources[] = {(rank + ranks - 1) % ranks, rank};
  const int destinations[] = {(rank + 1) % ranks, rank};
  const int weights[] = {1, 1};
  MPI_Comm ring = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, weights, 2, destinations, weights, MPI_INFO_NULL, 0,
                                 &ring);
  return ring;
}

static void expect_neighbours(const int* data, int rank, int ranks, const char* what) {
  for (int i = 0; i < elements; ++i) {
    tally_expect(data[i] == fill_value((rank + ranks - 1) % ranks, i), what);
    tally_expect(data[elements + i] == fill_value(rank, i), what);
  }
}

#define COMPLETED(function, ...)                     \
  do {                                               \
    MPI_Request request_ = MPI_REQUEST_NULL;         \
    COUNTED(function, __VA_ARGS__, &request_);       \
    COUNTED(MPI_Wait, &request_, MPI_STATUS_IGNORE); \
  } while (0)
#define STARTED(function, ...)                                \
  do {                                                        \
    MPI_Request request_ = MPI_REQUEST_NULL;                  \
    COUNTED(function, __VA_ARGS__, MPI_INFO_NULL, &request_); \
    start_and_free(&request_);                                \
  } while (0)

#define BODY call_blocking
#define CALL(X, x, ...) COUNTED(MPI_##X, __VA_ARGS__)
#define COUNT int
#define DISPLACEMENT int
#define HAS_BARRIER 1
#include "other_collectives.inc"

#define BODY call_nonblocking
#define CALL(X, x, ...) COMPLETED(MPI_I##x, __VA_ARGS__)
#define COUNT int
#define DISPLACEMENT int
#define HAS_BARRIER 1
#include "other_collectives.inc"

#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
#define BODY call_blocking_large
#define CALL(X, x, ...) COUNTED(MPI_##X##_c, __VA_ARGS__)
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define HAS_BARRIER 0
#include "other_collectives.inc"

#define BODY call_nonblocking_large
#define CALL(X, x, ...) COMPLETED(MPI_I##x##_c, __VA_ARGS__)
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define HAS_BARRIER 0
#include "other_collectives.inc"

#define BODY call_persistent_large
#define CALL(X, x, ...) STARTED(MPI_##X##_init_c, __VA_ARGS__)
#define COUNT MPI_Count
#define DISPLACEMENT MPI_Aint
#define HAS_BARRIER 0
#include "other_collectives.inc"
#endif

#ifdef AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES
#define BODY call_persistent
#define CALL(X, x, ...) STARTED(MPI_##X##_init, __VA_ARGS__)
#define COUNT int
#define DISPLACEMENT int
#define HAS_BARRIER 1
#include "other_collectives.inc"
#elif defined(AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
#define BODY call_persistent
#define CALL(X, x, ...) STARTED(MPIX_##X##_init, __VA_ARGS__)
#define COUNT int
#define DISPLACEMENT int
#define HAS_BARRIER 1
#include "other_collectives.inc"
#endif

/* An error that only the MPI library can find: it must reach the caller, and the call counts. */
static void call_without_topology(void) {
  const int send = 1;
  int receive = 0;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  tally_add("MPI_Neighbor_allgather");
  tally_expect(MPI_Neighbor_allgather(&send, 1, MPI_INT, &receive, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS,
               "MPI_Neighbor_allgather on a communicator without a topology is an error");
  tally_add("MPI_Neighbor_alltoall");
  tally_expect(MPI_Neighbor_alltoall(&send, 1, MPI_INT, &receive, 1, MPI_INT, MPI_COMM_WORLD) != MPI_SUCCESS,
               "MPI_Neighbor_alltoall on a communicator without a topology is an error");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
}

void call_other_collectives(int rank, int ranks) {
  call_blocking(rank, ranks);
  call_nonblocking(rank, ranks);
#if defined(AIRAMP_MPI_HAS_PERSISTENT_COLLECTIVES) || defined(AIRAMP_MPI_HAS_PERSISTENT_EXTENSION)
  call_persistent(rank, ranks);
#endif
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  call_blocking_large(rank, ranks);
  call_nonblocking_large(rank, ranks);
  call_persistent_large(rank, ranks);
#endif
  call_without_topology();
}
