// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Short broadcast: the root leaves the data in memory that the ranks share, and goes on.
class PostedBroadcast final : public Algorithm {
 public:
  /// On a communicator whose group has a ring for broadcasts; for at most `BroadcastRing::max_bytes`.
  explicit PostedBroadcast(const CommunicatorResources& resources)
      : ring_(*resources.broadcasts()), rank_(resources.host.made->rank()) {}

  /// Right after a meeting of the ranks.
  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }
  bool goes_unasked() const override { return true; }

 private:
  BroadcastRing& ring_;
  int rank_;
};

}  // namespace airamp::pmpi
