// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Preloaded behind AIRamp: counts what is made of the MPI library's objects and not freed, whoever does it.
#include <dlfcn.h>
#include <mpi.h>

#include <atomic>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

std::atomic<long> communicators{0};
std::atomic<long> requests{0};
std::atomic<long> groups{0};

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

EXPORT long soak_held_communicators() { return communicators.load(); }
EXPORT long soak_held_requests() { return requests.load(); }
EXPORT long soak_held_groups() { return groups.load(); }

// Programs call the one name, AIRamp the other. `change`: an expression, after a call that succeeds.
#define COUNTED(name, change, parameters, arguments)             \
  EXPORT int P##name parameters {                                \
    static const auto real = next<int(*) parameters>("P" #name); \
    const int error = real arguments;                            \
    if (error == MPI_SUCCESS) change;                            \
    return error;                                                \
  }                                                              \
  EXPORT __attribute__((alias("P" #name))) int name parameters;

COUNTED(MPI_Comm_dup, ++communicators, (MPI_Comm a, MPI_Comm* b), (a, b))
COUNTED(MPI_Comm_split, *d != MPI_COMM_NULL ? ++communicators : communicators.load(),
        (MPI_Comm a, int b, int c, MPI_Comm* d), (a, b, c, d))
COUNTED(MPI_Comm_split_type, *e != MPI_COMM_NULL ? ++communicators : communicators.load(),
        (MPI_Comm a, int b, int c, MPI_Info d, MPI_Comm* e), (a, b, c, d, e))
COUNTED(MPI_Comm_free, --communicators, (MPI_Comm * a), (a))
COUNTED(MPI_Send_init, ++requests, (const void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
        (a, b, c, d, e, f, g))
COUNTED(MPI_Recv_init, ++requests, (void* a, int b, MPI_Datatype c, int d, int e, MPI_Comm f, MPI_Request* g),
        (a, b, c, d, e, f, g))
COUNTED(MPI_Request_free, --requests, (MPI_Request * a), (a))
COUNTED(MPI_Comm_group, ++groups, (MPI_Comm a, MPI_Group* b), (a, b))
COUNTED(MPI_Comm_remote_group, ++groups, (MPI_Comm a, MPI_Group* b), (a, b))
COUNTED(MPI_Group_free, --groups, (MPI_Group * a), (a))
