// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/shared_memory/reductions/rank_blocks.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduction.hpp"

namespace airamp::pmpi {

/// Reduce_scatter_block, and reduce_scatter where all blocks have one length: every rank lays out a chunk of its
/// contribution to each block, and reduces its own block of all contributions.
class SharedMemoryReduceScatter : public SharedMemoryReduction {
 public:
  using SharedMemoryReduction::SharedMemoryReduction;

  BriefExchange brief_exchange(const CollectiveData& data) override;

 protected:
  std::size_t chunks(const CollectiveData& data) const override { return blocks(data).chunks(); }
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

 private:
  static void leave_briefly(const BriefExchange& exchange, const void* input, const void* output);
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);

  RankBlocks blocks(const CollectiveData& data) const { return {group_, data.elements * element_bytes()}; }
  bool reads_own_in_place(const CollectiveData& data) const;
};

}  // namespace airamp::pmpi
