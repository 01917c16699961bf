// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/group/communicator_resources.hpp"

namespace airamp::pmpi {

/// A collective in host memory among the ranks of one host, through memory that they share. Its data go in chunks:
/// each rank lays out what the others need of a chunk, they meet, and each takes what it needs. The data of a call that
/// are one chunk are laid out before the ranks agree on it, which is their meeting. Of others a rank lays out the next
/// chunk before it takes the present one: ranks that are faster with one chunk than with another do not wait for each
/// other every time.
class SharedMemoryAlgorithm : public Algorithm, public StagedExchange {
 public:
  /// On a communicator that has a host group.
  explicit SharedMemoryAlgorithm(const CommunicatorResources& resources) : group_(*resources.host.made) {}

  int execute(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }
  bool warms_up() const override { return true; }

  StagedExchange* staged_exchange() override { return this; }
  bool may_stage(const CollectiveData& data) const override { return chunks(data) <= 1 && is_prepared(data); }
  bool stage(const CollectiveData& data) override;
  int finish(const CollectiveData& data) override;

 protected:
  /// Results of so many bytes no cache keeps while all ranks store theirs.
  static constexpr std::size_t bytes_around_caches = std::size_t{2} << 20U;

  /// How many chunks a call has; the same on all ranks.
  virtual std::size_t chunks(const CollectiveData& data) const = 0;

  /// Whether a call's one chunk may be laid out before the ranks agree; the same on all ranks whose calls are alike.
  virtual bool is_prepared(const CollectiveData& /*data*/) const { return true; }

  /// Before the meeting of number `turn`. It writes to this rank's place of that turn, or, the root of a scatter, to
  /// all ranks' places. A rank that has come to a meeting is done with all places of the turn two before it: behind
  /// that meeting they belong to the turn after it (tests/protocol/meeting.pml).
  virtual void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) = 0;

  /// Behind it.
  virtual void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) = 0;

  /// BriefExchange::leaves where this rank's part is its input, as it is: `exchange.bytes` bytes.
  static void leave_input(const BriefExchange& exchange, const void* input, const void* output);

  HostGroup& group_;
};

}  // namespace airamp::pmpi
