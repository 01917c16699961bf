// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <vector>

#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// A group, freed with its owner.
struct Group {
  MPI_Group handle = MPI_GROUP_NULL;
  Group() = default;
  ~Group();
  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
};

/// The number of a group's members; 0 if MPI fails. Local.
int size_of(MPI_Group group);

/// The ranks that some members of a group, named by their ranks there, have in MPI_COMM_WORLD; MPI_UNDEFINED for a
/// process of another world, which came by MPI_Comm_spawn, MPI_Comm_accept or the like. Local. MPI libraries may look
/// through MPI_COMM_WORLD for each of them. Empty if MPI fails. Throws std::bad_alloc.
std::vector<int> world_ranks(MPI_Group group, const std::vector<int>& members);

/// Whether this process may be in a communicator, not an inter-communicator, with processes of another world: only a
/// call of MPI_Intercomm_merge or a session can bring it there.
inline std::atomic<bool> worlds_may_mix{false};

}  // namespace airamp::pmpi
