// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/mpi/native.hpp"

namespace airamp::pmpi {

/// Whether MPI was told that several threads may call it at the same time, or does not say.
inline bool several_threads_call_mpi() {
  int level = MPI_THREAD_MULTIPLE;
  return native().Query_thread(&level) != MPI_SUCCESS || level == MPI_THREAD_MULTIPLE;
}

}  // namespace airamp::pmpi
