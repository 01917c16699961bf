// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/started/start_collective.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {
namespace {

/// Whether the MPI library refuses the call on this rank without a word to the others.
bool is_refused(const StartArguments& arguments) {
  return job().refused_aliases[static_cast<std::size_t>(arguments.kind)] && arguments.sendbuf == arguments.recvbuf &&
         arguments.count > 0;
}

/// Starts a collective through shared memory, or natively.
template <class RunNative>
int start_or_run(Function function, std::uint64_t bytes, const StartArguments& arguments, MPI_Request* request,
                 const RunNative& run_native) {
  const ObservedCall observed(function, bytes, arguments.comm);
  const bool may_start = request != nullptr && !is_refused(arguments);
  const MPI_Request started = may_start ? start_nonblocking(arguments) : MPI_REQUEST_NULL;
  if (started == MPI_REQUEST_NULL) return run_native();
  *request = started;
  return MPI_SUCCESS;
}

/// Makes a persistent collective natively; its starts may go through shared memory.
template <class RunNative>
int make_persistent(Function function, std::uint64_t bytes, const StartArguments& arguments, const MPI_Request* request,
                    const RunNative& run_native) {
  const ObservedCall observed(function, bytes, arguments.comm);
  const int error = run_native();
  if (error == MPI_SUCCESS) watch_persistent(arguments, *request);
  return error;
}

int start(MPI_Request* request) {
  StartedRequests& requests = started_requests();
  StartedRequest* const persistent =
      requests.any_persistent() && request != nullptr ? requests.find_persistent(*request) : nullptr;
  const bool starts = persistent != nullptr && !persistent->start.runs.load(std::memory_order_acquire);
  return starts && start_persistent(*persistent) ? MPI_SUCCESS : native().MPI_Start(request);
}

}  // namespace

int on_MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                      MPI_Request* request) {
  return start_or_run(Function::MPI_Iallreduce, payload_bytes(count, datatype),
                      {Kind::iallreduce, sendbuf, recvbuf, count, datatype, op, comm}, request,
                      [&] { return native().MPI_Iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request); });
}

int on_MPI_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return start_or_run(Function::MPI_Iallreduce_c, payload_bytes(count, datatype),
                      {Kind::iallreduce, sendbuf, recvbuf, count, datatype, op, comm}, request, [&] {
                        const auto run = native().MPI_Iallreduce_c;
                        return run != nullptr ? run(sendbuf, recvbuf, count, datatype, op, comm, request)
                                              : missing_function("MPI_Iallreduce_c", MPI_COMM_WORLD);
                      });
}

int on_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start_or_run(Function::MPI_Ibarrier, 0, {.kind = Kind::ibarrier, .comm = comm}, request,
                      [&] { return native().MPI_Ibarrier(comm, request); });
}

#define AIRAMP_ALLREDUCE_INIT(name, count_type)                                                                        \
  int on_##name(const void* sendbuf, void* recvbuf, count_type count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, \
                MPI_Info info, MPI_Request* request) {                                                                 \
    return make_persistent(Function::name, payload_bytes(count, datatype),                                             \
                           {Kind::allreduce_init, sendbuf, recvbuf, count, datatype, op, comm}, request, [&] {         \
                             const auto run = native().name;                                                           \
                             return run != nullptr ? run(sendbuf, recvbuf, count, datatype, op, comm, info, request)   \
                                                   : missing_function(#name, MPI_COMM_WORLD);                          \
                           });                                                                                         \
  }
AIRAMP_ALLREDUCE_INIT(MPI_Allreduce_init, int)
AIRAMP_ALLREDUCE_INIT(MPI_Allreduce_init_c, MPI_Count)
AIRAMP_ALLREDUCE_INIT(MPIX_Allreduce_init, int)
#undef AIRAMP_ALLREDUCE_INIT

#define AIRAMP_BARRIER_INIT(name)                                                                                     \
  int on_##name(MPI_Comm comm, MPI_Info info, MPI_Request* request) {                                                 \
    return make_persistent(Function::name, 0, {.kind = Kind::barrier_init, .comm = comm}, request, [&] {              \
      return native().name != nullptr ? native().name(comm, info, request) : missing_function(#name, MPI_COMM_WORLD); \
    });                                                                                                               \
  }
AIRAMP_BARRIER_INIT(MPI_Barrier_init)
AIRAMP_BARRIER_INIT(MPIX_Barrier_init)
#undef AIRAMP_BARRIER_INIT

int on_MPI_Start(MPI_Request* request) {
  count_call(Function::MPI_Start, 0);
  return start(request);
}

int on_MPI_Startall(int count, MPI_Request* requests) {
  count_call(Function::MPI_Startall, 0);
  if (!started_requests().any_persistent()) return native().MPI_Startall(count, requests);
  for (int i = 0; i < count; ++i) {
    if (const int error = start(&requests[i]); error != MPI_SUCCESS) return error;
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
