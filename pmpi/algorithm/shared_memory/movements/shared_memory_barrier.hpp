// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// Barrier: the agreement before the call, wherever the ranks have it, is one.
class SharedMemoryBarrier final : public SharedMemoryAlgorithm {
 public:
  using SharedMemoryAlgorithm::SharedMemoryAlgorithm;

  BriefExchange brief_exchange(const CollectiveData& /*data*/) override { return {.meeting = &group_.meeting()}; }

 private:
  std::size_t chunks(const CollectiveData& /*data*/) const override { return 0; }
  void lay_out(const CollectiveData& /*data*/, std::size_t /*chunk*/, std::size_t /*turn*/) override {}
  void take(const CollectiveData& /*data*/, std::size_t /*chunk*/, std::size_t /*turn*/) override {}
};

}  // namespace airamp::pmpi
