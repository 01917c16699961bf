// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/collective_kind.hpp"
#include "pmpi/algorithm/abilities/root_message.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Short broadcast, MPI_Scatter or MPI_Scatterv: the root leaves the data in memory that the ranks share, and goes on.
class PostedByRoot final : public Algorithm {
 public:
  /// On a communicator whose group has a ring for broadcasts; for calls that fit a root's message.
  PostedByRoot(const CommunicatorResources& resources, CollectiveKind kind)
      : ring_(*resources.broadcasts()),
        rank_(resources.host.made->rank()),
        ranks_(resources.host.made->size()),
        kind_(kind) {}

  /// Right after a meeting of the ranks.
  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }
  bool goes_unasked() const override { return true; }

 private:
  BroadcastRing& ring_;
  int rank_;
  int ranks_;
  CollectiveKind kind_;
};

}  // namespace airamp::pmpi
