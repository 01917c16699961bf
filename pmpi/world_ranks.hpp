// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "pmpi/mpi.hpp"

namespace airamp::pmpi {

/// A group, freed with its owner.
struct Group {
  MPI_Group handle = MPI_GROUP_NULL;
  Group() = default;
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
};

/// The ranks that the members of a group have in MPI_COMM_WORLD, in order; MPI_UNDEFINED for a process of another
/// world, which came by MPI_Comm_spawn, MPI_Comm_accept or the like. Local. Empty if MPI fails. Throws std::bad_alloc.
std::vector<int> world_ranks(MPI_Group group);

}  // namespace airamp::pmpi
