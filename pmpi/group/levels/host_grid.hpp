// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "core/collective_kind.hpp"
#include "gpu/location.hpp"
#include "pmpi/group/host/host_group.hpp"
#include "pmpi/group/levels/grid_place.hpp"
#include "pmpi/group/made.hpp"
#include "pmpi/mpi/mpi.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// Whether calls of so many bytes on a communicator of that size may be worth a grid: of shorter ones an agreement by
/// messages takes longer than what is gained. Some host must have several ranks of the job, and the communicator more
/// than any. The same on all ranks.
bool may_use_host_grid(CollectiveKind kind, std::uint64_t bytes, int size);

/// The ranks of a communicator on several hosts, as many on each: those of one host share memory, which holds chunks of
/// long vectors. Used by one thread at a time.
class HostGrid {
 public:
  /// Collective over `comm`; makes no communicator. Empty unless all ranks could. Throws std::bad_alloc.
  static Result<Made<std::unique_ptr<HostGrid>>> create(MPI_Comm comm, int rank, int size,
                                                        const gpu::Location& location);

  HostGroup& host() { return *host_; }
  const GridPlace& place() const { return place_; }

 private:
  HostGrid() = default;

  GridPlace place_;
  std::shared_ptr<HostGroup> host_;
};

}  // namespace airamp::pmpi
