// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// The arguments of a nonblocking or persistent allreduce or barrier; of a barrier the communicator alone.
struct StartArguments {
  Kind kind = Kind::ibarrier;
  const void* sendbuf = nullptr;
  void* recvbuf = nullptr;
  MPI_Count count = 0;
  MPI_Datatype type{};
  MPI_Op op{};
  MPI_Comm comm = MPI_COMM_NULL;

  const void* input() const { return sendbuf == MPI_IN_PLACE ? recvbuf : sendbuf; }
};

}  // namespace airamp::pmpi
