// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduction.hpp"

namespace airamp::pmpi {

/// Scan and exscan: every rank lays out a chunk. Where all ranks' operands are added one after the other, each rank
/// makes its part of all results, in places for contributions, and reads its own result; long ones are handed on from
/// rank to rank instead. Short vectors, and those of other orders, each rank reduces for itself.
class SharedMemoryScan final : public SharedMemoryReduction {
 public:
  /// Throws std::bad_alloc.
  SharedMemoryScan(const CommunicatorResources& resources, MPI_Comm comm, Kind kind, const LocalFacts& facts)
      : SharedMemoryReduction(resources, comm, kind, facts), op_(facts.op), inclusive_(kind == Kind::scan) {}

  bool may_stage(const CollectiveData& data) const override {
    return !is_handed_on(data) && SharedMemoryAlgorithm::may_stage(data);
  }
  int finish(const CollectiveData& data) override;
  BriefExchange brief_exchange(const CollectiveData& data) override;

 private:
  static bool take_briefly(const BriefExchange& exchange, const void* input, void* output);
  int carry(const CollectiveData& data) override;
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  std::size_t bytes_of(const CollectiveData& data) const { return data.elements * element_bytes(); }
  bool goes_in_parts(const CollectiveData& data) const;
  bool is_handed_on(const CollectiveData& data) const;
  int hand_on(const CollectiveData& data);
  void hand_on_piece(const CollectiveData& data, const Chunk& piece, const std::byte* before, std::byte* own);
  void reduce_part(std::size_t bytes, std::size_t turn);
  void read_result(const CollectiveData& data, std::size_t turn);

  ReduceOp op_;
  bool inclusive_;
};

}  // namespace airamp::pmpi
