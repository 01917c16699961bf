/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* The functions that wait for messages or requests, or look at these. Every rank sends to the next one and receives
   from the one before, which may be itself. */
#include "collectives.h"
#include "tally.h"

enum { tag = 3 };

typedef struct {
  int rank, left, right;
  int send[elements], receive[elements];
} ring_place;

static ring_place place_of(int rank, int ranks) {
  ring_place place = {.rank = rank, .left = (rank + ranks - 1) % ranks, .right = (rank + 1) % ranks};
  fill(place.send, rank);
  return place;
}

static void expect_received(ring_place* place, const MPI_Status* status, const char* what) {
  for (int i = 0; i < elements; ++i) {
    tally_expect(place->receive[i] == fill_value(place->left, i), what);
    place->receive[i] = 0;
  }
  if (status != MPI_STATUS_IGNORE) tally_expect(status->MPI_SOURCE == place->left && status->MPI_TAG == tag, what);
}

static MPI_Request start_to_send(ring_place* place) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(place->send, elements, MPI_INT, place->right, tag, MPI_COMM_WORLD, &request);
  return request;
}

static void call_waits(ring_place* place) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int index = -1, count = -1, indices[2] = {-1, -1};
#define START                                                                                    \
  (MPI_Irecv(place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &requests[0]), \
   requests[1] = start_to_send(place))
  START;
  COUNTED(MPI_Waitall, 2, requests, statuses);
  expect_received(place, &statuses[0], "MPI_Waitall");
  START;
  for (int i = 0; i < 2; ++i) {
    COUNTED(MPI_Waitany, 2, requests, &index, &statuses[i]);
    tally_expect(index == 0 || index == 1, "index from MPI_Waitany");
    if (index == 0) tally_expect(statuses[i].MPI_SOURCE == place->left, "status from MPI_Waitany");
  }
  expect_received(place, MPI_STATUS_IGNORE, "MPI_Waitany");
  START;
  for (int done = 0; done < 2; done += count) {
    COUNTED(MPI_Waitsome, 2, requests, &count, indices, statuses);
    if (count < 1) break;
  }
  expect_received(place, MPI_STATUS_IGNORE, "MPI_Waitsome");
#undef START
}

static void call_tests(ring_place* place) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  int index = -1, flag = 0, count = -1, indices[2] = {-1, -1};
#define START                                                                                    \
  (MPI_Irecv(place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &requests[0]), \
   requests[1] = start_to_send(place))
#define END(what) (COUNTED(MPI_Waitall, 2, requests, statuses), expect_received(place, MPI_STATUS_IGNORE, what))
  START;
  COUNTED(MPI_Test, &requests[1], &flag, MPI_STATUS_IGNORE);
  END("MPI_Test");
  START;
  COUNTED(MPI_Testany, 2, requests, &index, &flag, MPI_STATUS_IGNORE);
  END("MPI_Testany");
  START;
  COUNTED(MPI_Testall, 2, requests, &flag, statuses);
  END("MPI_Testall");
  START;
  COUNTED(MPI_Testsome, 2, requests, &count, indices, statuses);
  END("MPI_Testsome");
  START;
  COUNTED(MPI_Request_get_status, requests[0], &flag, MPI_STATUS_IGNORE);
  END("MPI_Request_get_status");
#ifdef AIRAMP_MPI_HAS_STATUS_OF_SEVERAL
  START;
  COUNTED(MPI_Request_get_status_any, 2, requests, &index, &flag, MPI_STATUS_IGNORE);
  COUNTED(MPI_Request_get_status_all, 2, requests, &flag, statuses);
  COUNTED(MPI_Request_get_status_some, 2, requests, &count, indices, statuses);
  END("MPI_Request_get_status_some");
#endif
#undef START
#undef END
}

static void call_starts(ring_place* place) {
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Recv_init(place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(place->send, elements, MPI_INT, place->right, tag, MPI_COMM_WORLD, &requests[1]);
  COUNTED(MPI_Startall, 2, requests);
  COUNTED(MPI_Waitall, 2, requests, statuses);
  expect_received(place, MPI_STATUS_IGNORE, "MPI_Startall");
  COUNTED(MPI_Request_free, &requests[0]);
  COUNTED(MPI_Request_free, &requests[1]);
  MPI_Recv_init(place->receive, elements, MPI_INT, place->left, tag + 1, MPI_COMM_WORLD, &requests[0]); /* of nothing */
  COUNTED(MPI_Start, &requests[0]);
  COUNTED(MPI_Cancel, &requests[0]);
  COUNTED(MPI_Wait, &requests[0], MPI_STATUS_IGNORE);
  COUNTED(MPI_Request_free, &requests[0]);
}

/* `x` is what the names end with: nothing or _c. */
#define DEFINE_CALLS(name, x)                                                                                      \
  static void name(ring_place* place) {                                                                            \
    MPI_Status status;                                                                                             \
    MPI_Message message = MPI_MESSAGE_NULL;                                                                        \
    MPI_Request request = start_to_send(place);                                                                    \
    COUNTED(MPI_Recv##x, place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &status);            \
    COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);                                                                \
    expect_received(place, &status, "MPI_Recv" #x);                                                                \
    MPI_Irecv(place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &request);                      \
    COUNTED(MPI_Send##x, place->send, elements, MPI_INT, place->right, tag, MPI_COMM_WORLD);                       \
    COUNTED(MPI_Wait, &request, &status);                                                                          \
    expect_received(place, &status, "MPI_Send" #x);                                                                \
    MPI_Irecv(place->receive, elements, MPI_INT, place->left, tag, MPI_COMM_WORLD, &request);                      \
    COUNTED(MPI_Ssend##x, place->send, elements, MPI_INT, place->right, tag, MPI_COMM_WORLD);                      \
    COUNTED(MPI_Wait, &request, &status);                                                                          \
    expect_received(place, &status, "MPI_Ssend" #x);                                                               \
    COUNTED(MPI_Sendrecv##x, place->send, elements, MPI_INT, place->right, tag, place->receive, elements, MPI_INT, \
            place->left, tag, MPI_COMM_WORLD, &status);                                                            \
    expect_received(place, &status, "MPI_Sendrecv" #x);                                                            \
    fill(place->receive, place->rank);                                                                             \
    COUNTED(MPI_Sendrecv_replace##x, place->receive, elements, MPI_INT, place->right, tag, place->left, tag,       \
            MPI_COMM_WORLD, &status);                                                                              \
    expect_received(place, &status, "MPI_Sendrecv_replace" #x);                                                    \
    request = start_to_send(place);                                                                                \
    COUNTED(MPI_Probe, place->left, tag, MPI_COMM_WORLD, &status);                                                 \
    tally_expect(status.MPI_SOURCE == place->left, "MPI_Probe");                                                   \
    COUNTED(MPI_Mprobe, place->left, tag, MPI_COMM_WORLD, &message, &status);                                      \
    COUNTED(MPI_Mrecv##x, place->receive, elements, MPI_INT, &message, &status);                                   \
    COUNTED(MPI_Wait, &request, MPI_STATUS_IGNORE);                                                                \
    expect_received(place, &status, "MPI_Mrecv" #x);                                                               \
  }

DEFINE_CALLS(call_plain_forms, )
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
DEFINE_CALLS(call_large_forms, _c)
#endif

void call_point_to_point_forms(int rank, int ranks) {
  ring_place place = place_of(rank, ranks);
  call_waits(&place);
  call_tests(&place);
  call_starts(&place);
  call_plain_forms(&place);
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  call_large_forms(&place);
#endif
}
