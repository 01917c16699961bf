// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace airamp::testing {

/// Collectives whose results or times are compared with the MPI library's own.
struct MpiFunctions {
  decltype(&MPI_Allreduce) allreduce = nullptr;
  decltype(&MPI_Reduce) reduce = nullptr;
  decltype(&MPI_Reduce_scatter) reduce_scatter = nullptr;
  decltype(&MPI_Reduce_scatter_block) reduce_scatter_block = nullptr;
  decltype(&MPI_Bcast) bcast = nullptr;
  decltype(&MPI_Allgather) allgather = nullptr;
  decltype(&MPI_Allgatherv) allgatherv = nullptr;
  decltype(&MPI_Alltoall) alltoall = nullptr;
  decltype(&MPI_Alltoallv) alltoallv = nullptr;
  decltype(&MPI_Alltoallw) alltoallw = nullptr;
  decltype(&MPI_Gather) gather = nullptr;
  decltype(&MPI_Gatherv) gatherv = nullptr;
  decltype(&MPI_Scatter) scatter = nullptr;
  decltype(&MPI_Scatterv) scatterv = nullptr;
  decltype(&MPI_Scan) scan = nullptr;
  decltype(&MPI_Exscan) exscan = nullptr;
  decltype(&MPI_Barrier) barrier = nullptr;
  decltype(&MPI_Iallreduce) iallreduce = nullptr;
  decltype(&MPI_Ibarrier) ibarrier = nullptr;
  decltype(&MPI_Wait) wait = nullptr;
};

/// Those that the program calls: AIRamp's, where it is loaded.
MpiFunctions programs_functions();

/// The MPI library's own, whatever is loaded in front of it: AIRamp stands in for those named PMPI_ as well. Throws
/// std::runtime_error if it is not found.
const MpiFunctions& librarys_functions();

}  // namespace airamp::testing
