// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gpu/location.hpp"
#include "pmpi/group/host/host_group.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// The group of a communicator, collective over it. Empty unless its ranks are on one host and all of them could. To
/// make one takes about as long as some hundred short collectives, and programs may make communicators in every time
/// step. So the group of one that is freed is kept, and a later one of the same ranks in the same order goes on where
/// that one ended, if all ranks have the same group and are at the same place in it. Thread-safe. Throws
/// std::bad_alloc.
Result<Made<std::shared_ptr<HostGroup>>> find_or_create_host_group(MPI_Comm comm, int rank, int size,
                                                                   const gpu::Location& location);

/// Lets go of what is kept: before MPI_Finalize. Local.
void release_kept_host_groups() noexcept;

}  // namespace airamp::pmpi
