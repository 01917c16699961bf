// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A profiler as mpiP is one: preloaded before AIRamp or behind it, counts calls of the C names and makes the real ones
// by their PMPI_ names. In MPI_Finalize it adds up all ranks' counts by a collective of its own.
#include <mpi.h>

#include <atomic>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {
std::atomic<long> calls{0};
}

EXPORT int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  calls.fetch_add(1);
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}

EXPORT int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  calls.fetch_add(1);
  return PMPI_Bcast(buffer, count, type, root, comm);
}

EXPORT int MPI_Barrier(MPI_Comm comm) {
  calls.fetch_add(1);
  return PMPI_Barrier(comm);
}

EXPORT int MPI_Finalize() {
  const long own = calls.load();
  long all = 0;
  PMPI_Reduce(&own, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  return PMPI_Finalize();
}
