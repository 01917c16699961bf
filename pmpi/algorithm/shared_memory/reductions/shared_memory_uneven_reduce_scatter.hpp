// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduce_scatter.hpp"

namespace airamp::pmpi {

/// Reduce_scatter, whose blocks may have different lengths if any order gives the same result: every rank lays out a
/// piece of its contribution to each block, and reduces its own block of all contributions.
class SharedMemoryUnevenReduceScatter final : public SharedMemoryReduceScatter {
 public:
  using SharedMemoryReduceScatter::SharedMemoryReduceScatter;

  /// Of blocks of one length. Others may begin elsewhere in each call.
  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  /// Of all blocks together.
  std::size_t all_bytes(const CollectiveData& data) const;
  /// Whether they are laid out as they are: short ones.
  bool lie_together(const CollectiveData& data) const;
  /// So much of each block is in a chunk.
  std::size_t piece_bytes() const;
  Chunk piece(const SentBlock& block, std::size_t chunk) const;
};

}  // namespace airamp::pmpi
