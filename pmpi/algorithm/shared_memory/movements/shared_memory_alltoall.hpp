// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/rank_blocks.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"

namespace airamp::pmpi {

/// Alltoall: every rank lays out a chunk of its blocks for the others, and takes theirs for itself.
class SharedMemoryAlltoall final : public SharedMemoryAlgorithm {
 public:
  using SharedMemoryAlgorithm::SharedMemoryAlgorithm;

  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  std::size_t chunks(const CollectiveData& data) const override { return blocks(data).chunks(); }
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  RankBlocks blocks(const CollectiveData& data) const { return {group_, data.elements}; }
  static void leave_briefly(const BriefExchange& exchange, const void* input, const void* output);
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);
  void lay_out(const RankBlocks& all, const void* input, std::size_t chunk, std::size_t turn);
  void take(const RankBlocks& all, const void* input, void* output, std::size_t chunk, std::size_t turn);
};

}  // namespace airamp::pmpi
