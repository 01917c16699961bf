// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/group/host/broadcast_ring.hpp"
#include "pmpi/group/host/contribution_ring.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// All that it takes to carry out calls of one length that are posted, found out beforehand. Good for as long as no
/// call of the communicator is looked at.
struct BriefPost {
  BroadcastRing* broadcasts = nullptr;        ///< of a broadcast or scatter
  ContributionRing* contributions = nullptr;  ///< of a reduce; neither: calls want more than that
  std::size_t bytes = 0;                      ///< of the root's message, or of a contribution
  ShortReduction reduce = nullptr;            ///< of contributions that are all in the ring; nullptr: not that short
  const SummationTree* order = nullptr;
  std::size_t elements = 0;
  BroadcastRing::Part own{};  ///< of a broadcast or MPI_Scatter: this rank's part of the message,
  bool puts_own = false;      ///< and whether it is yet to be put where it belongs
  MPI_Datatype type{};        ///< of MPI_Scatterv: of all blocks that matter on this rank; predefined, without holes,
  std::size_t element_bytes = 0;  ///< of so many bytes
  unsigned bucket = 0;            ///< likewise: the size bucket of what is sent to others
};

}  // namespace airamp::pmpi
