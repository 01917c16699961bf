// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/barrier_call.hpp"
#include "pmpi/call/exchanges/alltoallv_call.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/allgather_call.hpp"
#include "pmpi/call/movements/alltoall_call.hpp"
#include "pmpi/call/movements/bcast_call.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/call/reduce_call.hpp"
#include "pmpi/call/reduce_scatter_block_call.hpp"
#include "pmpi/call/reductions/reduce_scatter_call.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "pmpi/decide/started/settle_starts.hpp"
#include "pmpi/entry/brief_call.hpp"
#include "pmpi/entry/brief_counted_call.hpp"
#include "pmpi/entry/brief_early_call.hpp"
#include "pmpi/entry/brief_posted_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "pmpi/entry/run_collective.hpp"
#include "pmpi/types/datatype_info.hpp"

namespace airamp::pmpi {
namespace {

std::uint64_t sent_bytes(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype) {
  return sendbuf == MPI_IN_PLACE ? 0 : payload_bytes(sendcount, sendtype);
}

/// Before an allreduce, in which all wait for all if it has data.
int settle_starts(MPI_Count count, MPI_Datatype datatype, MPI_Comm comm) {
  return StartedForms::any_due() && payload_bytes(count, datatype) > 0 ? settle_due_starts(comm) : MPI_SUCCESS;
}

}  // namespace

int on_MPI_Allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const AllreduceCall call(sendbuf, recvbuf, count, datatype, op, comm, false);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  if (const int error = settle_starts(count, datatype, comm); error != MPI_SUCCESS) return error;
  return run_collective(call);
}

int on_MPI_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  const AllreduceCall call(sendbuf, recvbuf, count, datatype, op, comm, true);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  if (const int error = settle_starts(count, datatype, comm); error != MPI_SUCCESS) return error;
  return run_collective(call);
}

int on_MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  const AllgatherCall call(arguments, recvcount);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  const AllgatherCall call(arguments, recvcount);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                      const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  return run_counted_call(PlainAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

int on_MPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  return run_counted_call(LargeAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

int on_MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm) {
  const ReduceScatterBlockCall call(sendbuf, recvbuf, recvcount, datatype, op, comm, false);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                  MPI_Op op, MPI_Comm comm) {
  const ReduceScatterBlockCall call(sendbuf, recvbuf, recvcount, datatype, op, comm, true);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const BcastCall call(buffer, count, datatype, root, comm, false);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  const BcastCall call(buffer, count, datatype, root, comm, true);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm) {
  const ReduceCall call(sendbuf, recvbuf, count, datatype, op, root, comm, false);
  if (const std::optional<int> done = run_reduce_briefly(call)) return *done;
  return run_reduce(call);
}

int on_MPI_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm) {
  const ReduceCall call(sendbuf, recvbuf, count, datatype, op, root, comm, true);
  if (const std::optional<int> done = run_reduce_briefly(call)) return *done;
  return run_reduce(call);
}

int on_MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, false);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, true);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  return run_collective(call);
}

int on_MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedGatherCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, false);
  return run_early_call(call);
}

int on_MPI_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedGatherCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, true);
  return run_early_call(call);
}

int on_MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const ScatterCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, false);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const ScatterCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, true);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm) {
  return run_counted_call(ReduceScatterCall(sendbuf, recvbuf, NumbersByRank(recvcounts), datatype, op, comm, false), 0);
}

int on_MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                     void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallvCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtype};
  const AlltoallvCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtype};
  return run_early_call(AlltoallvCall(send, receive, comm, false));
}

int on_MPI_Alltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls, const MPI_Datatype* sendtypes,
                     void* recvbuf, const int* recvcounts, const int* rdispls, const MPI_Datatype* recvtypes,
                     MPI_Comm comm) {
  const AlltoallwCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtypes};
  const AlltoallwCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtypes};
  return run_early_call(AlltoallwCall(send, receive, comm, false));
}

int on_MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                   const int* displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{recvbuf, NumbersByRank(recvcounts), NumbersByRank(displs), recvtype};
  return run_early_call(GathervCall({sendbuf, sendcount, sendtype}, all, root, comm, false));
}

int on_MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* displs, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{sendbuf, NumbersByRank(sendcounts), NumbersByRank(displs), sendtype};
  const ScattervCall call({recvbuf, recvcount, recvtype}, all, root, comm, false);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::including_own, sendbuf, recvbuf, count, datatype, op, comm, false);
  return run_early_call(call);
}

int on_MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::below_own, sendbuf, recvbuf, count, datatype, op, comm, false);
  return run_early_call(call);
}

int on_MPI_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count* recvcounts, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm) {
  return run_counted_call(ReduceScatterCall(sendbuf, recvbuf, NumbersByRank(recvcounts), datatype, op, comm, true), 0);
}

int on_MPI_Alltoallv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls, MPI_Datatype sendtype,
                       void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* rdispls, MPI_Datatype recvtype,
                       MPI_Comm comm) {
  const AlltoallvCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtype};
  const AlltoallvCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtype};
  return run_early_call(AlltoallvCall(send, receive, comm, true));
}

int on_MPI_Alltoallw_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts,
                       const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const AlltoallwCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtypes};
  const AlltoallwCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtypes};
  return run_early_call(AlltoallwCall(send, receive, comm, true));
}

int on_MPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype, int root,
                     MPI_Comm comm) {
  const RootedExchange::All all{recvbuf, NumbersByRank(recvcounts), NumbersByRank(displs), recvtype};
  return run_early_call(GathervCall({sendbuf, sendcount, sendtype}, all, root, comm, true));
}

int on_MPI_Scatterv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* displs, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{sendbuf, NumbersByRank(sendcounts), NumbersByRank(displs), sendtype};
  const ScattervCall call({recvbuf, recvcount, recvtype}, all, root, comm, true);
  if (const std::optional<int> done = run_by_root_briefly(call)) return *done;
  return run_by_root(call);
}

int on_MPI_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::including_own, sendbuf, recvbuf, count, datatype, op, comm, true);
  return run_early_call(call);
}

int on_MPI_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::below_own, sendbuf, recvbuf, count, datatype, op, comm, true);
  return run_early_call(call);
}

int on_MPI_Barrier(MPI_Comm comm) {
  const BarrierCall call(comm);
  if (const std::optional<int> done = run_briefly(call)) return *done;
  if (const int error = settle_starts(comm); error != MPI_SUCCESS) return error;
  return run_collective(call);
}

}  // namespace airamp::pmpi
