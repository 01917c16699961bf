// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// Allgather(v): every rank lays out a chunk of its own block, and takes those of the others.
class SharedMemoryGather final : public SharedMemoryAlgorithm {
 public:
  SharedMemoryGather(const CommunicatorResources& resources, const LocalFacts& facts);

  /// For the gather of blocks of one length, one behind the other; of an allgatherv, what its caller needs to carry it.
  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  static void leave_briefly(const BriefExchange& exchange, const void* input, const void* output);
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);

  /// Where a rank lays out a chunk of its block.
  std::byte* place(const CollectiveData& data, int rank, std::size_t turn) const;
  std::size_t longest_block(const CollectiveData& data) const;
  Chunk chunk_of_block(const GatherBlock& block, std::size_t chunk) const;

  std::size_t element_bytes_;
};

}  // namespace airamp::pmpi
