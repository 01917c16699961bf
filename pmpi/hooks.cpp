// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/hooks.hpp"

#include "pmpi/accelerate.hpp"
#include "pmpi/allgather_call.hpp"
#include "pmpi/allreduce_call.hpp"
#include "pmpi/communicator_policy.hpp"
#include "pmpi/communicator_state.hpp"
#include "pmpi/counting.hpp"
#include "pmpi/datatype_info.hpp"
#include "pmpi/job.hpp"
#include "pmpi/lifecycle.hpp"
#include "pmpi/missing_function.hpp"
#include "pmpi/native.hpp"
#include "pmpi/op_info.hpp"
#include "pmpi/segmentation_rule.hpp"

namespace airamp::pmpi {
namespace {

/// Whether collectives of this kind may be compressed on `comm`, as far as the job's settings say.
bool may_compress(MPI_Comm comm, bool opted_in) {
  const Job& j = job();
  return j.on.load(std::memory_order_acquire) && comm != MPI_COMM_NULL &&
         (opted_in || j.communicators_opted_in.load()) && j.settings.force != config::Force::native;
}

/// Whether a call takes part in agreements; the same on all ranks of its communicator.
bool is_candidate(const CommunicatorState& state, bool opted_in, std::uint64_t bytes) {
  return !state.inter && state.size > 1 && state.size <= most_ranks && state.policy.compress.value_or(opted_in) &&
         bytes > 0 && bytes >= job().settings.min_bytes;
}

int run(const CollectiveCall& call, bool opted_in) {
  const std::uint64_t bytes = call.bytes();
  count_call(call.function(), bytes);
  if (bytes < job().settings.min_bytes) return call.run_native();
  CommunicatorState* state = communicator_state(call.communicator());
  if (state == nullptr) {  // without it this rank could not stay in step with the others
    native().Comm_call_errhandler(call.communicator(), MPI_ERR_NO_MEM);
    return MPI_ERR_NO_MEM;
  }
  return is_candidate(*state, opted_in, bytes) ? accelerate(call, *state) : call.run_native();
}

int allreduce(const AllreduceCall& call) {
  const bool opted_in = job().settings.enable_fp8_allreduce;
  if (may_compress(call.communicator(), opted_in)) return run(call, opted_in);
  count_call(call.function(), call.bytes());
  return call.run_native();
}

int gather(const GatherCall& call, std::uint64_t sent_bytes) {
  const bool opted_in = job().settings.enable_fp8_allgather;
  if (may_compress(call.communicator(), opted_in)) return run(call, opted_in);
  count_call(call.function(), sent_bytes);
  return call.run_native();
}

std::uint64_t sent_bytes(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype) {
  return sendbuf == MPI_IN_PLACE ? 0 : payload_bytes(sendcount, sendtype);
}

}  // namespace

int on_MPI_Init(int* argc, char*** argv) {
  count_call(Function::MPI_Init, 0);
  if (native().MPI_Init == nullptr) return missing_function("MPI_Init", MPI_COMM_WORLD);
  const int error = native().MPI_Init(argc, argv);
  if (error == MPI_SUCCESS) start();
  return error;
}

int on_MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  count_call(Function::MPI_Init_thread, 0);
  if (native().MPI_Init_thread == nullptr) return missing_function("MPI_Init_thread", MPI_COMM_WORLD);
  const int error = native().MPI_Init_thread(argc, argv, required, provided);
  if (error == MPI_SUCCESS) start();
  return error;
}

int on_MPI_Finalize() {
  count_call(Function::MPI_Finalize, 0);
  stop();
  return native().MPI_Finalize();
}

int on_MPI_Comm_set_info(MPI_Comm comm, MPI_Info info) {
  count_call(Function::MPI_Comm_set_info, 0);
  const int error = native().MPI_Comm_set_info(comm, info);
  if (error != MPI_SUCCESS || !job().on.load(std::memory_order_acquire)) return error;
  return take_policy(comm, info);
}

int on_MPI_Op_create(MPI_User_function* function, int commute, MPI_Op* op) {
  count_call(Function::MPI_Op_create, 0);
  const int error = native().MPI_Op_create(function, commute, op);
  if (error == MPI_SUCCESS) forget_op(*op);
  return error;
}

int on_MPI_Op_create_c(void* function, int commute, MPI_Op* op) {
  count_call(Function::MPI_Op_create_c, 0);
  if (native().MPI_Op_create_c == nullptr) return missing_function("MPI_Op_create_c", MPI_COMM_WORLD);
  const int error = native().MPI_Op_create_c(function, commute, op);
  if (error == MPI_SUCCESS) forget_op(*op);
  return error;
}

int on_MPI_Op_free(MPI_Op* op) {
  count_call(Function::MPI_Op_free, 0);
  const MPI_Op freed = *op;
  const int error = native().MPI_Op_free(op);
  if (error == MPI_SUCCESS) forget_op(freed);
  return error;
}

int on_MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  return allreduce({sendbuf, recvbuf, count, datatype, op, comm, false});
}

int on_MPI_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  return allreduce({sendbuf, recvbuf, count, datatype, op, comm, true});
}

int on_MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  return gather(AllgatherCall(arguments, recvcount), payload_bytes(recvcount, recvtype));
}

int on_MPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  return gather(AllgatherCall(arguments, recvcount), payload_bytes(recvcount, recvtype));
}

int on_MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                      const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  return gather(PlainAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

int on_MPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  return gather(LargeAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

void on_pcontrol(int level) noexcept {
  if (level == 0 || level == 1) job().wanted.store(level == 1, std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
