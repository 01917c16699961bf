// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/algorithm/abilities/started_exchange.hpp"
#include "pmpi/algorithm/acquisition.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/registry.hpp"
#include "pmpi/group/started/peer_starts.hpp"

namespace airamp::pmpi {

/// Allreduce of GPU buffers that is started: each rank leaves its vector for all others in its GPU's memory, and
/// whoever completes the call reduces all of them, in the order of the ranks.
class StartedPeerReduction final : public Algorithm, public StartedExchange {
 public:
  StartedPeerReduction(std::shared_ptr<PeerStarts> peers, const LocalFacts& facts)
      : peers_(std::move(peers)), type_(facts.type), op_(facts.op) {}

  /// Starts one and waits for it.
  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return why_called_off_; }
  bool goes_unasked() const override { return true; }
  StartedExchange* started_exchange() override { return this; }

  bool may_be_started(const CollectiveData& data) const override {
    return data.elements * size_of(type_) <= peers_->max_bytes();
  }
  std::shared_ptr<StartCarrier> carrier_of(const CollectiveData& data) const override;
  std::shared_ptr<RunningStarts> starts() const override { return {peers_, &peers_->starts()}; }

 private:
  std::shared_ptr<PeerStarts> peers_;
  DataType type_;
  ReduceOp op_;
  Reason why_called_off_ = Reason::none;
};

/// Of a kind that is started: vectors that are too long for the memory of the host, and for which there may be room in
/// that of the GPUs.
bool may_start_over_peers(const AgreedFacts& facts);

/// Collective; see AlgorithmEntry. On a communicator that has `resources.peers`.
Acquired acquire_started_peers(const Acquisition& acquisition);

}  // namespace airamp::pmpi
