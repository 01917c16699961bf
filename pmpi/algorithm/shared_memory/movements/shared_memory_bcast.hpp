// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// Broadcast: the root lays out a chunk, and all others take it.
class SharedMemoryBcast final : public SharedMemoryAlgorithm {
 public:
  using SharedMemoryAlgorithm::SharedMemoryAlgorithm;

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  /// Where the root lays out a chunk.
  std::byte* place(const CollectiveData& data, std::size_t turn) const;
};

}  // namespace airamp::pmpi
