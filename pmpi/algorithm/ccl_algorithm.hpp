// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/group/ccl_group.hpp"

namespace airamp::pmpi {

/// A collective on GPU buffers by the site's collective communication library.
class CclAlgorithm final : public Algorithm {
 public:
  CclAlgorithm(CclGroup& group, Kind kind, const LocalFacts& facts);

  /// Collective, when all ranks have come. Returns an MPI error code.
  int execute(const CollectiveData& data) override;

 private:
  CclGroup& group_;
  gpu::CclCollective collective_;
};

}  // namespace airamp::pmpi
