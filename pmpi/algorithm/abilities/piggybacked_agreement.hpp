// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_data.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// The ability of an algorithm to ask the ranks for their consent along with its first messages, so that an expected
/// call costs no agreement of its own.
class PiggybackedAgreement {
 public:
  PiggybackedAgreement() = default;
  virtual ~PiggybackedAgreement() = default;
  PiggybackedAgreement(const PiggybackedAgreement&) = delete;
  PiggybackedAgreement& operator=(const PiggybackedAgreement&) = delete;

  /// Collective: runs a call if all ranks consent. If one does not, it is false on all of them, and nothing has
  /// happened to the data.
  virtual Result<bool> execute_if_agreed(const CollectiveData& data, bool consent) = 0;

  /// Seconds that the last `execute_if_agreed` waited for the others' answers.
  virtual double waited_seconds() const = 0;
};

}  // namespace airamp::pmpi
