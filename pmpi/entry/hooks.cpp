// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/hooks.hpp"

#include <limits>

#include "pmpi/entry/lifecycle.hpp"
#include "pmpi/entry/native_track.hpp"
#include "pmpi/group/host/unhurried_meeting.hpp"
#include "pmpi/job/counting.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/missing_function.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/world_ranks.hpp"
#include "pmpi/state/being_freed.hpp"
#include "pmpi/state/communicator_policy.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "pmpi/types/op_info.hpp"

namespace airamp::pmpi {
namespace {

/// For how long a rank waits in MPI_Comm_free for a broadcast of ours on the communicator.
constexpr double patience_seconds = 10e-3;

/// Our state goes before the application's attributes: what their delete callbacks do on the communicator must not meet
/// a state on one rank and none on another, as the order of callbacks differs, nor make a new one.
int free_natively(int (*free)(MPI_Comm*), MPI_Comm* comm) {
  const BeingFreed being_freed(*comm);
  return free(comm);
}

/// Those that could not be freed when the application did.
void free_late_communicators() {
  for (MPI_Comm late; (late = UnhurriedMeeting::next_to_free()) != MPI_COMM_NULL;)
    free_natively(native().MPI_Comm_free, &late);
}

/// Whether the communicator is to be freed later, since others are so far behind that a broadcast of ours on it cannot
/// end, and natively nobody would wait for them. From MPI_Comm_disconnect no rank returns before that.
bool must_be_kept(Function function, MPI_Comm comm) {
  CommunicatorState* const state = find_communicator_state(comm);
  if (state == nullptr) return false;
  const bool waits = function == Function::MPI_Comm_disconnect;
  UnhurriedMeeting& meeting = state->resources.unhurried;
  const double patience = waits ? std::numeric_limits<double>::infinity() : patience_seconds;
  if (meeting.settle(state->rank, state->size, patience)) return false;
  meeting.free_later(comm);
  return true;
}

int free_communicator(Function function, int (*free)(MPI_Comm*), MPI_Comm* comm) {
  count_call(function, 0);
  const bool freed = job().on.load(std::memory_order_acquire) && comm != nullptr && *comm != MPI_COMM_NULL &&
                     *comm != MPI_COMM_WORLD && *comm != MPI_COMM_SELF;  // the latter are errors
  if (!freed) return free(comm);
  const bool under_way = UnhurriedMeeting::any_under_way();
  if (under_way) free_late_communicators();
  const bool kept = under_way && must_be_kept(function, *comm);
  if (const int error = end_communicator_state(*comm); error != MPI_SUCCESS) return error;
  if (!kept) return free_natively(free, comm);
  *comm = MPI_COMM_NULL;
  return MPI_SUCCESS;
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
  // a session brings a thread level of its own
  job().several_threads = true;
  publisher().expect_several_threads();
  native_tracks->forget();
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

void on_pcontrol(int level) noexcept {
  if (level == 0 || level == 1) job().wanted.store(level == 1, std::memory_order_relaxed);
}

}  // namespace airamp::pmpi
