// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// Scan and exscan of what any order gives the same result of: every rank lays out a chunk, and reduces those of the
/// ranks below it, and of a scan its own.
class SharedMemoryScan final : public SharedMemoryAlgorithm {
 public:
  /// Throws std::bad_alloc.
  SharedMemoryScan(const CommunicatorResources& resources, Kind kind, const LocalFacts& facts);

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  std::size_t bytes_of(const CollectiveData& data) const { return data.elements * size_of(type_); }

  DataType type_;
  ReduceOp op_;
  SummationTree chain_;                          ///< of this rank's operands
  std::vector<const std::byte*> contributions_;  ///< of one step, by rank
  std::vector<std::byte> scratch_;
};

}  // namespace airamp::pmpi
