// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/job/refused_aliases.hpp"

#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/private_communicator.hpp"

namespace airamp::pmpi {
namespace {

/// Functions that the library lacks refuse nothing.
template <class Collective, class... Arguments>
bool refuses(Collective* collective, Arguments... arguments) {
  return collective != nullptr && collective(arguments...) != MPI_SUCCESS;
}

bool refuses_start(MPI_Comm comm) {
  int number = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  if (refuses(native().MPI_Iallreduce, &number, &number, 1, MPI_INT, MPI_SUM, comm, &request)) return true;
  native().MPI_Wait(&request, MPI_STATUS_IGNORE);
  return false;
}

}  // namespace

KindSet ask_for_refused_aliases() {
  PrivateCommunicator alone;
  KindSet refused;
  if (alone.create(MPI_COMM_SELF, 0) != MPI_SUCCESS) return refused;
  const Native& mpi = native();
  const MPI_Comm comm = alone.get();
  int n = 0;  // sent and received
  const int one = 1;
  const int none = 0;
  const MPI_Datatype type = MPI_INT;
  const auto ask = [&refused](CollectiveKind kind, bool answer) {
    refused.set(static_cast<std::size_t>(kind), answer);
  };
  using enum CollectiveKind;
  ask(allreduce, refuses(mpi.MPI_Allreduce, &n, &n, 1, type, MPI_SUM, comm));
  ask(reduce, refuses(mpi.MPI_Reduce, &n, &n, 1, type, MPI_SUM, 0, comm));
  ask(reduce_scatter, refuses(mpi.MPI_Reduce_scatter, &n, &n, &one, type, MPI_SUM, comm));
  ask(reduce_scatter_block, refuses(mpi.MPI_Reduce_scatter_block, &n, &n, 1, type, MPI_SUM, comm));
  ask(scan, refuses(mpi.MPI_Scan, &n, &n, 1, type, MPI_SUM, comm));
  ask(exscan, refuses(mpi.MPI_Exscan, &n, &n, 1, type, MPI_SUM, comm));
  ask(allgather, refuses(mpi.MPI_Allgather, &n, 1, type, &n, 1, type, comm));
  ask(allgatherv, refuses(mpi.MPI_Allgatherv, &n, 1, type, &n, &one, &none, type, comm));
  ask(gather, refuses(mpi.MPI_Gather, &n, 1, type, &n, 1, type, 0, comm));
  ask(gatherv, refuses(mpi.MPI_Gatherv, &n, 1, type, &n, &one, &none, type, 0, comm));
  ask(scatter, refuses(mpi.MPI_Scatter, &n, 1, type, &n, 1, type, 0, comm));
  ask(scatterv, refuses(mpi.MPI_Scatterv, &n, &one, &none, type, &n, 1, type, 0, comm));
  ask(alltoall, refuses(mpi.MPI_Alltoall, &n, 1, type, &n, 1, type, comm));
  ask(alltoallv, refuses(mpi.MPI_Alltoallv, &n, &one, &none, type, &n, &one, &none, type, comm));
  ask(alltoallw, refuses(mpi.MPI_Alltoallw, &n, &one, &none, &type, &n, &one, &none, &type, comm));
  ask(iallreduce, refuses_start(comm));
  return refused;
}

}  // namespace airamp::pmpi
