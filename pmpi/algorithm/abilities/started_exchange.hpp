// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/group/host/running_starts.hpp"

namespace airamp::pmpi {

/// The ability of an algorithm to carry calls that are started by one function of MPI and completed by another.
class StartedExchange {
 public:
  StartedExchange() = default;
  virtual ~StartedExchange() = default;
  StartedExchange(const StartedExchange&) = delete;
  StartedExchange& operator=(const StartedExchange&) = delete;

  /// Whether calls of this length may be started; the same on all ranks, between two collectives.
  virtual bool may_be_started(const CollectiveData& data) const = 0;

  /// How the vectors of such calls go; nullptr where they have none. It may outlive the algorithm. Local; throws
  /// std::bad_alloc.
  virtual std::shared_ptr<StartCarrier> carrier_of(const CollectiveData& data) const = 0;

  /// Where they are started. They may outlive the algorithm.
  virtual std::shared_ptr<RunningStarts> starts() const = 0;
};

}  // namespace airamp::pmpi
