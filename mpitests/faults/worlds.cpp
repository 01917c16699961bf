// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <array>

#include "mpitests/faults/cases.hpp"
#include "mpitests/faults/job.hpp"
#include "mpitests/faults/verdict.hpp"
#include "mpitests/laws/shared_memory/communicators.hpp"

namespace airamp::faults {

void connects(const Arguments& /*arguments*/) {
  start();
  const int rank = laws::rank_in(MPI_COMM_WORLD);
  const bool accepts = rank % 2 == 0;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, accepts ? 0 : 1, rank, &half);
  std::array<char, MPI_MAX_PORT_NAME> port{};
  if (rank == 0) MPI_Open_port(MPI_INFO_NULL, port.data());
  MPI_Bcast(port.data(), MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Comm other = MPI_COMM_NULL;
  if (accepts) {
    MPI_Comm_accept(port.data(), MPI_INFO_NULL, 0, half, &other);
  } else {
    MPI_Comm_connect(port.data(), MPI_INFO_NULL, 0, half, &other);
  }
  MPI_Comm both = MPI_COMM_NULL;
  MPI_Intercomm_merge(other, accepts ? 0 : 1, &both);
  for (MPI_Comm communicator : {half, both}) Work(communicator).rounds(enough_rounds);
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&other);
  MPI_Comm_free(&half);
  if (rank == 0) MPI_Close_port(port.data());
  finish();
}

void session(const Arguments& /*arguments*/) {
#ifdef AIRAMP_MPI_HAS_SESSIONS
  MPI_Session session = MPI_SESSION_NULL;
  require(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) == MPI_SUCCESS, "a session");
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm communicator = MPI_COMM_NULL;
  require(
      MPI_Comm_create_from_group(group, "faults", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &communicator) == MPI_SUCCESS,
      "a communicator of a session");
  MPI_Group_free(&group);
  Work(communicator).rounds(enough_rounds);
  MPI_Comm_free(&communicator);
  MPI_Session_finalize(&session);
  leave_verdict("right");
#endif
}

}  // namespace airamp::faults
