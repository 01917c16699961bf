// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <new>
#include <utility>

#include "pmpi/decide/started/start_collective.hpp"
#include "pmpi/device/host_copy.hpp"
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
  const bool is_aliased = arguments.sendbuf == arguments.recvbuf && arguments.count > 0;
  return arguments.op == MPI_OP_NULL || (is_aliased && job().refused_aliases[static_cast<std::size_t>(arguments.kind)]);
}

/// Of a call that MPI allows, whose buffers the MPI library cannot take.
bool needs_copies(const StartArguments& arguments, const MPI_Request* request) noexcept {
  return request != nullptr && arguments.count > 0 && !is_refused(arguments) &&
         need_copies_when_started(arguments.input(), arguments.recvbuf);
}

/// Starts a collective natively on copies of its buffers on the host.
template <class StartNatively>
int start_on_copies(const StartArguments& arguments, MPI_Request* request, const StartNatively& start_natively) {
  auto copied = std::make_unique<CopiedStart>(arguments, true);
  if (copied->failed()) return copy_failed(arguments.comm);
  StartedRequest* const started = started_requests().acquire();
  if (started == nullptr) throw std::bad_alloc();
  started->copied = std::move(copied);
  const int error = started->start_on_copies(arguments.comm, [&](CopiedStart& copies) {
    return start_natively(copies.sendbuf(), copies.recvbuf(), &copies.request);
  });
  if (error != MPI_SUCCESS) {
    started_requests().give_back(started);
    return error;
  }
  started_requests().activate(*started);
  *request = started->request;
  return MPI_SUCCESS;
}

/// Starts a collective through shared memory, or natively.
template <class StartNatively>
int start_or_run(Function function, std::uint64_t bytes, const StartArguments& arguments, MPI_Request* request,
                 const StartNatively& start_natively) {
  const ObservedCall observed(function, bytes, arguments.comm);
  const bool may_start = request != nullptr && !is_refused(arguments);
  if (const MPI_Request started = may_start ? start_nonblocking(arguments) : MPI_REQUEST_NULL;
      started != MPI_REQUEST_NULL) {
    *request = started;
    return MPI_SUCCESS;
  }
  if (needs_copies(arguments, request)) return start_on_copies(arguments, request, start_natively);
  return start_natively(arguments.sendbuf, arguments.recvbuf, request);
}

/// Makes a persistent collective natively; its starts may go through shared memory, or on copies of its buffers.
template <class MakeNatively>
int make_persistent(Function function, std::uint64_t bytes, const StartArguments& arguments, MPI_Request* request,
                    const MakeNatively& make_natively) {
  const ObservedCall observed(function, bytes, arguments.comm);
  std::unique_ptr<CopiedStart> copied;
  if (needs_copies(arguments, request)) {
    copied = std::make_unique<CopiedStart>(arguments, false);
    if (copied->failed()) return copy_failed(arguments.comm);
  }
  const int error = copied != nullptr ? make_natively(copied->sendbuf(), copied->recvbuf(), request)
                                      : make_natively(arguments.sendbuf, arguments.recvbuf, request);
  if (error == MPI_SUCCESS) watch_persistent(arguments, *request, std::move(copied));
  return error;
}

/// A persistent collective of the program's that was made on copies.
int start_on_copies(StartedRequest& persistent) {
  const MPI_Comm comm = persistent.arguments.comm != MPI_COMM_NULL ? persistent.arguments.comm : MPI_COMM_WORLD;
  if (!persistent.copied->load()) return copy_failed(comm);
  const int error =
      persistent.start_on_copies(comm, [](CopiedStart& copies) { return native().MPI_Start(&copies.request); });
  if (error == MPI_SUCCESS) started_requests().activate(persistent);
  return error;
}

int start(MPI_Request* request) {
  StartedRequests& requests = started_requests();
  StartedRequest* const persistent =
      requests.any_persistent() && request != nullptr ? requests.find_persistent(*request) : nullptr;
  if (persistent == nullptr || persistent->start.runs.load(std::memory_order_acquire)) {
    return native().MPI_Start(request);
  }
  if (persistent->may_be_shared && start_persistent(*persistent)) return MPI_SUCCESS;
  return persistent->copied != nullptr ? start_on_copies(*persistent) : native().MPI_Start(request);
}

}  // namespace

int on_MPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                      MPI_Request* request) {
  return start_or_run(Function::MPI_Iallreduce, payload_bytes(count, datatype),
                      {Kind::iallreduce, sendbuf, recvbuf, count, datatype, op, comm}, request,
                      [&](const void* input, void* output, MPI_Request* started) {
                        return native().MPI_Iallreduce(input, output, count, datatype, op, comm, started);
                      });
}

int on_MPI_Iallreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                        MPI_Comm comm, MPI_Request* request) {
  return start_or_run(Function::MPI_Iallreduce_c, payload_bytes(count, datatype),
                      {Kind::iallreduce, sendbuf, recvbuf, count, datatype, op, comm}, request,
                      [&](const void* input, void* output, MPI_Request* started) {
                        const auto run = native().MPI_Iallreduce_c;
                        return run != nullptr ? run(input, output, count, datatype, op, comm, started)
                                              : missing_function("MPI_Iallreduce_c", MPI_COMM_WORLD);
                      });
}

int on_MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
  return start_or_run(Function::MPI_Ibarrier, 0, {.kind = Kind::ibarrier, .comm = comm}, request,
                      [&](const void*, void*, MPI_Request* started) { return native().MPI_Ibarrier(comm, started); });
}

#define AIRAMP_ALLREDUCE_INIT(name, count_type)                                                                        \
  int on_##name(const void* sendbuf, void* recvbuf, count_type count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, \
                MPI_Info info, MPI_Request* request) {                                                                 \
    return make_persistent(Function::name, payload_bytes(count, datatype),                                             \
                           {Kind::allreduce_init, sendbuf, recvbuf, count, datatype, op, comm}, request,               \
                           [&](const void* input, void* output, MPI_Request* made) {                                   \
                             const auto run = native().name;                                                           \
                             return run != nullptr ? run(input, output, count, datatype, op, comm, info, made)         \
                                                   : missing_function(#name, MPI_COMM_WORLD);                          \
                           });                                                                                         \
  }
AIRAMP_ALLREDUCE_INIT(MPI_Allreduce_init, int)
AIRAMP_ALLREDUCE_INIT(MPI_Allreduce_init_c, MPI_Count)
AIRAMP_ALLREDUCE_INIT(MPIX_Allreduce_init, int)
#undef AIRAMP_ALLREDUCE_INIT

#define AIRAMP_BARRIER_INIT(name)                                                                       \
  int on_##name(MPI_Comm comm, MPI_Info info, MPI_Request* request) {                                   \
    return make_persistent(Function::name, 0, {.kind = Kind::barrier_init, .comm = comm}, request,      \
                           [&](const void*, void*, MPI_Request* made) {                                 \
                             return native().name != nullptr ? native().name(comm, info, made)          \
                                                             : missing_function(#name, MPI_COMM_WORLD); \
                           });                                                                          \
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
