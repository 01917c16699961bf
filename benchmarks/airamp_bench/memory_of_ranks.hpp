// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <functional>
#include <memory>

#include "memory.hpp"

namespace airamp::benchmark {

/// This process's rank among those of its host. Collective unless the launcher says it in the environment.
int local_rank(MPI_Comm communicator);

/// Whether the MPI library says itself that it cannot read device memory.
bool mpi_refuses_device_memory();

/// Opens a memory on all ranks; nullptr on all if `open` threw a std::exception on one of them. The first such rank
/// says why on stderr, after the name of the program. Collective.
std::unique_ptr<Memory> open_on_all_ranks(const char* program, MPI_Comm communicator,
                                          const std::function<std::unique_ptr<Memory>()>& open);

}  // namespace airamp::benchmark
