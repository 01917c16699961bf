/* Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0 */
/* Calls every function that AIRamp wraps and writes its own count of the calls: main TALLY.json
   [thread|session|complete]. "thread" starts MPI by MPI_Init_thread, "session" opens an MPI session beside MPI_Init;
   "complete" (to be run without AIRamp) checks that no function of AIRamp's table which the MPI library has is left
   out. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "collectives.h"
#include "tally.h"

static void add_integers(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}

#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
static void add_many_integers(void* in, void* inout, MPI_Count* length, MPI_Datatype* type) {
  (void)type;
  for (MPI_Count i = 0; i < *length; ++i) ((int*)inout)[i] += ((const int*)in)[i];
}
#endif

static void call_with_own_operation(int rank, int ranks) {
  int send[elements], receive[elements];
  MPI_Op sum;
  COUNTED(MPI_Op_create, add_integers, 1, &sum);
  fill(send, rank);
  COUNTED(MPI_Allreduce, send, receive, elements, MPI_INT, sum, MPI_COMM_WORLD);
  expect_sum(receive, ranks, "result of MPI_Allreduce with an own operation");
  COUNTED(MPI_Op_free, &sum);
  tally_expect(sum == MPI_OP_NULL, "MPI_Op_free sets the handle to MPI_OP_NULL");
#ifdef AIRAMP_MPI_HAS_LARGE_COUNT
  COUNTED(MPI_Op_create_c, add_many_integers, 1, &sum);
  COUNTED(MPI_Allreduce_c, send, receive, elements, MPI_INT, sum, MPI_COMM_WORLD);
  expect_sum(receive, ranks, "result of MPI_Allreduce_c with an own large-count operation");
  COUNTED(MPI_Op_free, &sum);
#endif
}

static void call_with_info(void) {
  MPI_Comm communicator;
  MPI_Info info;
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator);
  MPI_Info_create(&info);
  MPI_Info_set(info, "airamp_compress", "false");
  COUNTED(MPI_Comm_set_info, communicator, info);
  MPI_Info_free(&info);
  COUNTED(MPI_Barrier, communicator);
  COUNTED(MPI_Comm_free, &communicator);
  tally_expect(communicator == MPI_COMM_NULL, "MPI_Comm_free sets the handle to MPI_COMM_NULL");
}

static void call_with_communicators(int rank, int ranks) {
  MPI_Comm half, halves, communicator;
  int size = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &halves);
  COUNTED(MPI_Intercomm_merge, halves, rank % 2, &communicator);
  MPI_Comm_size(communicator, &size);
  tally_expect(size == ranks, "MPI_Intercomm_merge brings all together");
  COUNTED(MPI_Comm_free, &half);
  COUNTED(MPI_Comm_free, &halves);
  COUNTED(MPI_Comm_disconnect, &communicator);
  tally_expect(communicator == MPI_COMM_NULL, "MPI_Comm_disconnect sets the handle to MPI_COMM_NULL");
}

static void call_from_session(int wanted) {
#ifdef AIRAMP_MPI_HAS_SESSIONS
  MPI_Session session;
  if (!wanted) return;
  COUNTED(MPI_Session_init, MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  tally_expect(MPI_Session_finalize(&session) == MPI_SUCCESS, "MPI_Session_finalize");
#else
  tally_expect(!wanted, "this MPI library has no sessions");
#endif
}

static void expect_complete(void) {
  static const char* const table[] = {
#define AIRAMP_COUNTED(name, bytes, parameters, arguments) #name,
#define AIRAMP_HOOKED(name, parameters, arguments) #name,
#include "pmpi/mpi/functions.inc"
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    const int starts = strcmp(table[i], "MPI_Init_thread") == 0 || strcmp(table[i], "MPI_Session_init") == 0;
    const int survives = strncmp(table[i], "MPIX_Comm_", strlen("MPIX_Comm_")) == 0; /* of what, mpitests/laws tests */
    if (!starts && !survives && dlsym(RTLD_DEFAULT, table[i]) != NULL)
      tally_expect(tally_calls(table[i]) > 0, table[i]);
  }
}

int main(int argc, char** argv) {
  int rank = 0, ranks = 0, provided = -1;
  const char* variant = argc > 2 ? argv[2] : "";
  if (argc < 2) {
    fprintf(stderr, "usage: %s TALLY.json [thread|session|complete]\n", argv[0]);
    return 2;
  }
  if (strcmp(variant, "thread") == 0) {
    COUNTED(MPI_Init_thread, &argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    tally_expect(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE, "level from MPI_Init_thread");
  } else {
    COUNTED(MPI_Init, &argc, &argv);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > max_ranks) MPI_Abort(MPI_COMM_WORLD, 2);

  call_allreduce_forms(rank, ranks);
  call_gather_forms(rank, ranks);
  call_large_count_forms(rank, ranks);
  call_persistent_forms(rank, ranks);
  call_other_collectives(rank, ranks);
  call_point_to_point_forms(rank, ranks);
  call_with_own_operation(rank, ranks);
  call_with_info();
  call_with_communicators(rank, ranks);
  call_from_session(strcmp(variant, "session") == 0);
  COUNTED(MPI_Pcontrol, 0);
  COUNTED(MPI_Pcontrol, 1);

  tally_add("MPI_Finalize");
  if (strcmp(variant, "complete") == 0) expect_complete();
  const int wrong = tally_write(argv[1], rank);
  MPI_Finalize();
  return wrong == 0 ? 0 : 1;
}
