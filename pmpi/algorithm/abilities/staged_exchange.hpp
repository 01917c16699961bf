// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/abilities/brief_exchange.hpp"
#include "pmpi/call/collective_data.hpp"

namespace airamp::pmpi {

/// The ability of an algorithm to lay a rank's data out for the others before the ranks agree on the call: the
/// agreement is then the exchange, and no further meeting is needed.
class StagedExchange {
 public:
  StagedExchange() = default;
  virtual ~StagedExchange() = default;
  StagedExchange(const StagedExchange&) = delete;
  StagedExchange& operator=(const StagedExchange&) = delete;

  /// Whether `stage` lays out the data of a call; if not, calls of this length want `execute`. Local, and the same on
  /// all ranks whose calls are alike.
  virtual bool may_stage(const CollectiveData& data) const = 0;

  /// Local, right before an agreement of the ranks in `HostGroup::meeting`: lays out the data of a call, if it may, and
  /// says whether it has. If the ranks do not agree, or do not want the call to go this way, nobody has looked at the
  /// data. Not behind a meeting that was closed, for who was late there may still read what was laid out for the one
  /// before it.
  virtual bool stage(const CollectiveData& data) = 0;

  /// After all ranks have staged a call and agreed on it; of blocks of any length another exchange of the same kind may
  /// have staged it. Returns an MPI error code, which nobody has raised.
  virtual int finish(const CollectiveData& data) = 0;

  /// The same of calls with the same arguments as this one, which was staged, in as few steps as it takes.
  virtual BriefExchange brief_exchange(const CollectiveData& /*data*/) { return {}; }
};

}  // namespace airamp::pmpi
