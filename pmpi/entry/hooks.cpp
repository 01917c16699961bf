// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/hooks.hpp"

#include <optional>
#include <utility>

#include "pmpi/call/allgather_call.hpp"
#include "pmpi/call/allreduce_call.hpp"
#include "pmpi/call/alltoall_call.hpp"
#include "pmpi/call/barrier_call.hpp"
#include "pmpi/call/bcast_call.hpp"
#include "pmpi/call/eligibility.hpp"
#include "pmpi/call/exchanges/alltoallv_call.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/reduce_call.hpp"
#include "pmpi/call/reduce_scatter_block_call.hpp"
#include "pmpi/call/reductions/reduce_scatter_call.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "pmpi/call/rooted_movement.hpp"
#include "pmpi/decide/admission.hpp"
#include "pmpi/decide/decide.hpp"
#include "pmpi/decide/repeated_call.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/posted_broadcast.hpp"
#include "pmpi/entry/lifecycle.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/world_ranks.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/state/observed_call.hpp"
#include "pmpi/types/datatype_info.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {
namespace {

/// Whether collectives of this kind may be accelerated on `comm`, as far as the job's settings and hosts say.
bool may_accelerate(MPI_Comm comm, Kind kind, bool opted_in) {
  const Job& j = job();
  const auto opted_in_elsewhere = [&] {
    return is_for_gpus(kind) && (opted_in || j.gpus || j.communicators_opted_in.load());
  };
  return j.on.load(std::memory_order_acquire) && comm != MPI_COMM_NULL &&
         (is_for_shared_memory(kind) || opted_in_elsewhere()) && j.settings.force != config::Force::native;
}

/// Whether a root may leave the call's data for the others in memory that the ranks share. The same on all ranks.
bool may_be_posted(const CollectiveCall& call, std::uint64_t bytes, const CommunicatorState& state) {
  return state.posted.any() && call.kind() == Kind::bcast && bytes > 0;
}

/// `asked_root`: a call that might be posted is not. `staged`: with what this rank has come to the call's agreement
/// already, if it has.
int run_looked_at(const CollectiveCall& call, std::uint64_t bytes, bool asked_root = false,
                  std::optional<CollectiveData> staged = std::nullopt) {
  const Result<Admission> admission = admit(call, bytes);
  if (!admission.ok()) return admission.error();
  if (!admission->admitted()) return call.run_native();
  if (!asked_root && may_be_posted(call, bytes, *admission->state)) {
    if (const std::optional<int> done = run_posted(call, bytes, *admission->state)) return *done;
  }
  return accelerate(call, *admission, bytes, std::move(staged));
}

int run_known(const CollectiveCall& call, CommunicatorState& state, Shortcut& known) {
  const ObservedCall observed(call, known.facts.bytes, state);
  const std::uint64_t bytes = known.facts.bytes;
  std::optional<CollectiveData> staged;
  if (const std::optional<int> done = repeat(call, state, known, staged)) return *done;
  return run_looked_at(call, bytes, true, std::move(staged));
}

template <class Collective>
int run_observed(const Collective& call, bool looked_at, std::uint64_t bytes) {
  const ObservedCall observed(call, bytes);
  return looked_at ? run_looked_at(call, bytes) : call.run_native();
}

/// `counted_bytes`: what the report shows for a call that is passed through. Made for each type of call, so that the
/// compiler knows what it is: passing a call through costs no more than for a function that is counted only.
template <class Collective>
int run_counted(const Collective& call, std::uint64_t counted_bytes) {
  const bool looked_at = may_accelerate(call.communicator(), call.kind(), call.opted_in());
  return run_observed(call, looked_at, looked_at ? call.bytes() : counted_bytes);
}

/// The same of calls that may have a shortcut.
template <class Collective>
int run_counted(const Collective& call) {
  if (CommunicatorState* const state = latest_communicator_state(call.communicator())) {
    Shortcut* const known = shortcut_of(*state, call);
    if (known != nullptr && job().on.load(std::memory_order_acquire)) return run_known(call, *state, *known);
  }
  return run_observed(call, may_accelerate(call.communicator(), call.kind(), call.opted_in()), call.bytes());
}

/// A broadcast: who has looked it up last knows at once whether its root may have left the data.
int run_broadcast(const BcastCall& call) {
  CommunicatorState* const state = latest_communicator_state(call.communicator());
  const std::uint64_t bytes = call.bytes();
  if (state == nullptr || !job().on.load(std::memory_order_acquire) || !may_be_posted(call, bytes, *state)) {
    return run_counted(call);
  }
  const ObservedCall observed(call, bytes, *state);
  if (const std::optional<int> done = run_posted(call, bytes, *state)) return *done;
  Shortcut* const known = shortcut_of(*state, call);
  std::optional<CollectiveData> staged;
  if (known != nullptr) {
    if (const std::optional<int> done = repeat(call, *state, *known, staged)) return *done;
  }
  return run_looked_at(call, bytes, true, std::move(staged));
}

/// Our state goes before the application's attributes: what their delete callbacks do on the communicator must not meet
/// a state on one rank and none on another, as the order of callbacks differs, nor make a new one.
int free_communicator(Function function, int (*free)(MPI_Comm*), MPI_Comm* comm) {
  count_call(function, 0);
  const bool freed = job().on.load(std::memory_order_acquire) && comm != nullptr && *comm != MPI_COMM_NULL &&
                     *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF;  // the latter are errors
  if (!freed) return free(comm);
  if (const int error = end_communicator_state(*comm); error != MPI_SUCCESS) return error;
  const BeingFreed being_freed(*comm);
  return free(comm);
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
  if (!stops_in_finalize()) stop();
  return native().MPI_Finalize();
}

int on_MPI_Session_init(MPI_Info info, MPI_Errhandler errhandler, void* session) {
  count_call(Function::MPI_Session_init, 0);
  job().several_threads = true;  // a session brings a thread level of its own
  worlds_may_mix.store(true);
  if (native().MPI_Session_init == nullptr) return missing_function("MPI_Session_init", MPI_COMM_WORLD);
  return native().MPI_Session_init(info, errhandler, session);
}

int on_MPI_Comm_free(MPI_Comm* comm) {
  return free_communicator(Function::MPI_Comm_free, native().MPI_Comm_free, comm);
}

int on_MPI_Comm_disconnect(MPI_Comm* comm) {
  return free_communicator(Function::MPI_Comm_disconnect, native().MPI_Comm_disconnect, comm);
}

int on_MPI_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
  count_call(Function::MPI_Intercomm_merge, 0);
  worlds_may_mix.store(true);
  return native().MPI_Intercomm_merge(intercomm, high, newintracomm);
}

int on_MPIX_Comm_revoke(MPI_Comm comm) {
  count_call(Function::MPIX_Comm_revoke, 0);
  if (native().MPIX_Comm_revoke == nullptr) return missing_function("MPIX_Comm_revoke", comm);
  const int error = native().MPIX_Comm_revoke(comm);
  if (error != MPI_SUCCESS || !job().on.load(std::memory_order_acquire)) return error;
  // who waits in a communicator of ours for a rank that has given up is to hear of it as well
  if (CommunicatorState* state = find_communicator_state(comm)) state->revoke();
  return MPI_SUCCESS;
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
  return run_counted(AllreduceCall(sendbuf, recvbuf, count, datatype, op, comm, false));
}

int on_MPI_Allreduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                       MPI_Comm comm) {
  return run_counted(AllreduceCall(sendbuf, recvbuf, count, datatype, op, comm, true));
}

int on_MPI_Allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                     MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  return run_counted(AllgatherCall(arguments, recvcount));
}

int on_MPI_Allgather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  return run_counted(AllgatherCall(arguments, recvcount));
}

int on_MPI_Allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                      const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, false};
  return run_counted(PlainAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

int on_MPI_Allgatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                        const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  const GatherArguments arguments{sendbuf, sendcount, sendtype, recvbuf, recvtype, comm, true};
  return run_counted(LargeAllgathervCall(arguments, recvcounts, displs), sent_bytes(sendbuf, sendcount, sendtype));
}

int on_MPI_Reduce_scatter_block(const void* sendbuf, void* recvbuf, int recvcount, MPI_Datatype datatype, MPI_Op op,
                                MPI_Comm comm) {
  return run_counted(ReduceScatterBlockCall(sendbuf, recvbuf, recvcount, datatype, op, comm, false),
                     payload_bytes(recvcount, datatype));
}

int on_MPI_Reduce_scatter_block_c(const void* sendbuf, void* recvbuf, MPI_Count recvcount, MPI_Datatype datatype,
                                  MPI_Op op, MPI_Comm comm) {
  return run_counted(ReduceScatterBlockCall(sendbuf, recvbuf, recvcount, datatype, op, comm, true),
                     payload_bytes(recvcount, datatype));
}

int on_MPI_Bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return run_broadcast(BcastCall(buffer, count, datatype, root, comm, false));
}

int on_MPI_Bcast_c(void* buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm) {
  return run_broadcast(BcastCall(buffer, count, datatype, root, comm, true));
}

int on_MPI_Reduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, int root,
                  MPI_Comm comm) {
  const ReduceCall call(sendbuf, recvbuf, count, datatype, op, root, comm, false);
  return run_counted(call);
}

int on_MPI_Reduce_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op, int root,
                    MPI_Comm comm) {
  const ReduceCall call(sendbuf, recvbuf, count, datatype, op, root, comm, true);
  return run_counted(call);
}

int on_MPI_Alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                    MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, false);
  return run_counted(call);
}

int on_MPI_Alltoall_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, true);
  return run_counted(call);
}

int on_MPI_Gather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                  MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedGatherCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, false);
  return run_counted(call);
}

int on_MPI_Gather_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf, MPI_Count recvcount,
                    MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedGatherCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, true);
  return run_counted(call);
}

int on_MPI_Scatter(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                   MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const ScatterCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, false);
  return run_counted(call);
}

int on_MPI_Scatter_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const ScatterCall call(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, true);
  return run_counted(call);
}

int on_MPI_Reduce_scatter(const void* sendbuf, void* recvbuf, const int* recvcounts, MPI_Datatype datatype, MPI_Op op,
                          MPI_Comm comm) {
  return run_counted(ReduceScatterCall(sendbuf, recvbuf, NumbersByRank(recvcounts), datatype, op, comm, false), 0);
}

int on_MPI_Alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                     void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype, MPI_Comm comm) {
  const AlltoallvCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtype};
  const AlltoallvCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtype};
  return run_counted(AlltoallvCall(send, receive, comm, false), 0);
}

int on_MPI_Alltoallw(const void* sendbuf, const int* sendcounts, const int* sdispls, const MPI_Datatype* sendtypes,
                     void* recvbuf, const int* recvcounts, const int* rdispls, const MPI_Datatype* recvtypes,
                     MPI_Comm comm) {
  const AlltoallwCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtypes};
  const AlltoallwCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtypes};
  return run_counted(AlltoallwCall(send, receive, comm, false), 0);
}

int on_MPI_Gatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                   const int* displs, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{recvbuf, NumbersByRank(recvcounts), NumbersByRank(displs), recvtype};
  return run_counted(GathervCall({sendbuf, sendcount, sendtype}, all, root, comm, false), 0);
}

int on_MPI_Scatterv(const void* sendbuf, const int* sendcounts, const int* displs, MPI_Datatype sendtype, void* recvbuf,
                    int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{sendbuf, NumbersByRank(sendcounts), NumbersByRank(displs), sendtype};
  return run_counted(ScattervCall({recvbuf, recvcount, recvtype}, all, root, comm, false), 0);
}

int on_MPI_Scan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::including_own, sendbuf, recvbuf, count, datatype, op, comm, false);
  return run_counted(call);
}

int on_MPI_Exscan(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::below_own, sendbuf, recvbuf, count, datatype, op, comm, false);
  return run_counted(call);
}

int on_MPI_Reduce_scatter_c(const void* sendbuf, void* recvbuf, const MPI_Count* recvcounts, MPI_Datatype datatype,
                            MPI_Op op, MPI_Comm comm) {
  return run_counted(ReduceScatterCall(sendbuf, recvbuf, NumbersByRank(recvcounts), datatype, op, comm, true), 0);
}

int on_MPI_Alltoallv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls, MPI_Datatype sendtype,
                       void* recvbuf, const MPI_Count* recvcounts, const MPI_Aint* rdispls, MPI_Datatype recvtype,
                       MPI_Comm comm) {
  const AlltoallvCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtype};
  const AlltoallvCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtype};
  return run_counted(AlltoallvCall(send, receive, comm, true), 0);
}

int on_MPI_Alltoallw_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* sdispls,
                       const MPI_Datatype* sendtypes, void* recvbuf, const MPI_Count* recvcounts,
                       const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  const AlltoallwCall::Side send{sendbuf, NumbersByRank(sendcounts), NumbersByRank(sdispls), sendtypes};
  const AlltoallwCall::Side receive{recvbuf, NumbersByRank(recvcounts), NumbersByRank(rdispls), recvtypes};
  return run_counted(AlltoallwCall(send, receive, comm, true), 0);
}

int on_MPI_Gatherv_c(const void* sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                     const MPI_Count* recvcounts, const MPI_Aint* displs, MPI_Datatype recvtype, int root,
                     MPI_Comm comm) {
  const RootedExchange::All all{recvbuf, NumbersByRank(recvcounts), NumbersByRank(displs), recvtype};
  return run_counted(GathervCall({sendbuf, sendcount, sendtype}, all, root, comm, true), 0);
}

int on_MPI_Scatterv_c(const void* sendbuf, const MPI_Count* sendcounts, const MPI_Aint* displs, MPI_Datatype sendtype,
                      void* recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm) {
  const RootedExchange::All all{sendbuf, NumbersByRank(sendcounts), NumbersByRank(displs), sendtype};
  return run_counted(ScattervCall({recvbuf, recvcount, recvtype}, all, root, comm, true), 0);
}

int on_MPI_Scan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::including_own, sendbuf, recvbuf, count, datatype, op, comm, true);
  return run_counted(call);
}

int on_MPI_Exscan_c(const void* sendbuf, void* recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm) {
  const ScanCall call(ScanCall::Ranks::below_own, sendbuf, recvbuf, count, datatype, op, comm, true);
  return run_counted(call);
}

int on_MPI_Barrier(MPI_Comm comm) { return run_counted(BarrierCall(comm)); }

void on_pcontrol(int level) noexcept {
  if (level == 0 || level == 1) job().wanted.store(level == 1, std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
