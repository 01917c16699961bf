// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// A rank's place in the grid that the ranks of a communicator on several hosts make, as many on each: those of one
/// host, and those of the same place on every host, a rail.
struct GridPlace {
  int host = 0;   ///< this rank's, among `hosts`
  int hosts = 0;  ///< at least 2, in the order of their first ranks
  int rank_on_host = 0;
  int ranks_on_host = 0;      ///< at least 2
  std::vector<int> host_of;   ///< by rank
  std::vector<int> first_of;  ///< by host: its first rank
  std::vector<int> rail;      ///< by host: its rank of this one's place
};

/// Finds this rank's. Why there is none, the same on all ranks; empty if there is. Collective over `comm`. Throws
/// std::bad_alloc.
Result<std::string> find_grid_place(MPI_Comm comm, int rank, int size, int most_ranks_on_host, GridPlace& place);

}  // namespace airamp::pmpi
