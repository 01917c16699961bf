// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Preloaded behind AIRamp: a rank dies in a chosen call of the MPI library's own, whoever makes it.
//   FAULT_RANK=R           the rank, as the launcher numbers them
//   FAULT_CALL=N|finalize  the Nth of the calls below after MPI_Init, or MPI_Finalize
#include <dlfcn.h>
#include <mpi.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <string_view>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

const char* text_of(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool is_chosen() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"}) {
    if (const char* rank = std::getenv(name); rank != nullptr) return std::string_view(rank) == text_of("FAULT_RANK");
  }
  return false;
}

std::atomic<long> calls{0};

void count_call() {
  static const long fatal = is_chosen() ? std::atol(text_of("FAULT_CALL")) : 0;
  if (calls.fetch_add(1) + 1 == fatal) std::raise(SIGKILL);
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Programs call the one name, AIRamp the other.
#define COUNTED(name, parameters, arguments)                     \
  EXPORT int P##name parameters {                                \
    count_call();                                                \
    static const auto real = next<int(*) parameters>("P" #name); \
    return real arguments;                                       \
  }                                                              \
  EXPORT __attribute__((alias("P" #name))) int name parameters;

COUNTED(MPI_Allreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f), (a, b, c, d, e, f))
COUNTED(MPI_Bcast, (void* a, int b, MPI_Datatype c, int d, MPI_Comm e), (a, b, c, d, e))
COUNTED(MPI_Barrier, (MPI_Comm a), (a))
COUNTED(MPI_Reduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, int f, MPI_Comm g), (a, b, c, d, e, f, g))
COUNTED(MPI_Allgather, (const void* a, int b, MPI_Datatype c, void* d, int e, MPI_Datatype f, MPI_Comm g),
        (a, b, c, d, e, f, g))
COUNTED(MPI_Iallreduce, (const void* a, void* b, int c, MPI_Datatype d, MPI_Op e, MPI_Comm f, MPI_Request* g),
        (a, b, c, d, e, f, g))
COUNTED(MPI_Comm_dup, (MPI_Comm a, MPI_Comm* b), (a, b))
COUNTED(MPI_Comm_idup, (MPI_Comm a, MPI_Comm* b, MPI_Request* c), (a, b, c))
COUNTED(MPI_Comm_split, (MPI_Comm a, int b, int c, MPI_Comm* d), (a, b, c, d))
COUNTED(MPI_Start, (MPI_Request * a), (a))
COUNTED(MPI_Startall, (int a, MPI_Request b[]), (a, b))
COUNTED(MPI_Wait, (MPI_Request * a, MPI_Status* b), (a, b))
COUNTED(MPI_Send_init, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
        (a, b, c, d, e, f, g))
COUNTED(MPI_Waitall, (int a, MPI_Request b[], MPI_Status c[]), (a, b, c))

EXPORT int PMPI_Finalize() {
  if (is_chosen() && std::string_view(text_of("FAULT_CALL")) == "finalize") std::raise(SIGKILL);
  return next<int (*)()>("PMPI_Finalize")();
}
EXPORT __attribute__((alias("PMPI_Finalize"))) int MPI_Finalize();
