// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/algorithm/abilities/started_exchange.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// Barrier that is started: complete once all ranks have started it.
class StartedBarrier final : public Algorithm, public StartedExchange {
 public:
  /// On a communicator whose host group has room for starts.
  explicit StartedBarrier(const CommunicatorResources& resources)
      : starts_(resources.host.made, resources.host.made->starts(0)) {}

  /// Starts one and waits for it.
  int execute(const CollectiveData& /*data*/) override {
    Start start;
    const bool started = starts_->start(true, start);
    why_called_off_ = started ? Reason::none : Reason::not_together;
    return started ? starts_->wait(start) : MPI_SUCCESS;
  }
  Reason why_called_off() const override { return why_called_off_; }
  bool promises_native_bits() const override { return true; }
  bool goes_unasked() const override { return true; }
  StartedExchange* started_exchange() override { return this; }

  bool may_be_started(const CollectiveData& /*data*/) const override { return true; }
  std::shared_ptr<StartCarrier> carrier_of(const CollectiveData& /*data*/) const override { return nullptr; }
  std::shared_ptr<RunningStarts> starts() const override { return starts_; }

 private:
  std::shared_ptr<RunningStarts> starts_;
  Reason why_called_off_ = Reason::none;
};

}  // namespace airamp::pmpi
