// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/algorithm_id.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/group/peer_group.hpp"

namespace airamp::pmpi {

/// A collective on GPU buffers over peer memory: what stays the same from call to call of a signature.
class PeerAlgorithm final : public Algorithm {
 public:
  PeerAlgorithm(PeerGroup& group, const PeerRegion& region, Kind kind, AlgorithmId id, const LocalFacts& facts);

  /// Collective, after a meeting of the group. Returns an MPI error code: MPI_ERR_TRUNCATE if another rank sends more
  /// than this one has room for.
  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return called_off_ ? Reason::no_room_on_gpu : Reason::none; }

 private:
  void lay_out_gather(const CollectiveData& data);
  void lay_out_equal_blocks(const CollectiveData& data);
  int lay_out_blocks_of_any_length(const CollectiveData& data);
  void lay_out_results(const CollectiveData& data);
  void leave_own_block_in_place();
  void forget_own_block();

  PeerGroup& group_;
  const PeerRegion& region_;
  gpu::PeerCollective collective_;
  Kind kind_;
  bool called_off_ = false;
};

}  // namespace airamp::pmpi
