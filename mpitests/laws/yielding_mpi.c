// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Stands for an MPI library whose blocking calls let other user-level threads run while they wait, as MPICH and Open
// MPI do that were built with Argobots or Qthreads. Linked before the MPI library.
#include "mpitests/laws/yielding_mpi.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>

void (*yield_to_others)(void) = NULL;

static int wait_yielding(MPI_Request* request, MPI_Status* status) {
  for (int done = 0;;) {
    const int error = MPI_Test(request, &done, status);
    if (error != MPI_SUCCESS || done != 0) return error;
    if (yield_to_others != NULL) yield_to_others();
  }
}

int PMPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  int (*start)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*) = NULL;
  *(void**)&start = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
  MPI_Request request = MPI_REQUEST_NULL;
  const int error = start(sendbuf, recvbuf, count, datatype, op, comm, &request);
  return error != MPI_SUCCESS ? error : wait_yielding(&request, MPI_STATUS_IGNORE);
}

int PMPI_Wait(MPI_Request* request, MPI_Status* status) { return wait_yielding(request, status); }

// Without AIRamp.
int MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return PMPI_Allreduce(sendbuf, recvbuf, count, datatype, op, comm);
}
