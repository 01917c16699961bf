// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

namespace airamp::benchmark {

/// The functions that are timed.
struct MpiFunctions {
  decltype(&MPI_Allreduce) Allreduce = nullptr;
  decltype(&MPI_Reduce) Reduce = nullptr;
  decltype(&MPI_Bcast) Bcast = nullptr;
  decltype(&MPI_Allgather) Allgather = nullptr;
  decltype(&MPI_Alltoall) Alltoall = nullptr;
  decltype(&MPI_Barrier) Barrier = nullptr;
};

/// Those that the program calls: AIRamp's, where it is loaded.
MpiFunctions programs_functions();

/// The MPI library's own, whatever is loaded in front of it. Throws std::runtime_error if it is not found.
const MpiFunctions& librarys_functions();

}  // namespace airamp::benchmark
