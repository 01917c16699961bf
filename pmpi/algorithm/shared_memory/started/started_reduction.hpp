// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/algorithm/abilities/started_exchange.hpp"
#include "pmpi/algorithm/acquisition.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/orders/ordered_reduction.hpp"

namespace airamp::pmpi {

/// Allreduce that is started: each rank leaves its vector for all others, and whoever completes the call reduces
/// all of them, in the order in which the MPI library adds in calls that are started in the same way.
class StartedReduction final : public Algorithm, public StartedExchange, private OrderedReduction {
 public:
  /// On a communicator whose host group has room for starts of such a length, of a reduction that reduce_by_tree knows.
  /// Throws std::bad_alloc.
  explicit StartedReduction(const Acquisition& acquisition);

  /// Starts one and waits for it.
  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return why_called_off_; }
  bool promises_native_bits() const override { return !keeps_own_order(); }
  bool adds_in_own_order() const override { return keeps_own_order(); }
  Result<bool> prepare_trial(const CollectiveData& data) override { return confirm_order_of(data); }
  bool goes_unasked() const override { return true; }
  StartedExchange* started_exchange() override { return this; }

  bool may_be_started(const CollectiveData& data) const override { return known_order(data) != nullptr; }
  std::shared_ptr<StartCarrier> carrier_of(const CollectiveData& data) const override;
  std::shared_ptr<RunningStarts> starts() const override { return starts_; }

 private:
  std::shared_ptr<RunningStarts> starts_;
  ReduceOp op_;
  Reason why_called_off_ = Reason::none;
};

}  // namespace airamp::pmpi
