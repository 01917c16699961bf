// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"
#include "pmpi/algorithm/shared_memory/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"

namespace airamp::pmpi {

/// Allreduce of numbers: every rank lays out its contribution to a chunk, reduces its part of all contributions, and
/// reads the result of all. Short vectors are reduced by every rank for itself.
///
/// Floating-point numbers are added in the order in which the MPI library itself adds vectors of that length, which it
/// is asked for when the length is first seen: results are the MPI library's own, to the last bit.
class SharedMemoryAllreduce final : public SharedMemoryAlgorithm {
 public:
  /// For a reduction that reduce_by_tree knows. `comm`: the application's. Throws std::bad_alloc.
  SharedMemoryAllreduce(const CommunicatorResources& resources, MPI_Comm comm, const LocalFacts& facts);

  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return called_off_ ? Reason::no_order_of_sums : Reason::none; }
  Result<bool> prepare_trial(const CollectiveData& data) override;

 private:
  std::size_t chunks(const CollectiveData& data) const override;
  bool is_short(const CollectiveData& data) const override;
  void lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;
  void take(const CollectiveData& data, std::size_t chunk, std::size_t turn) override;

  int find_order(std::size_t elements, const SummationTree*& order);
  bool remember(std::size_t elements, std::optional<SummationTree> order);
  const SummationTree* known_order(std::size_t elements) const;
  bool carry_in_chunks(const CollectiveData& data, const SummationTree& order);

  MPI_Comm comm_;
  gpu::DataType type_;
  gpu::ReduceOp op_;
  SummationTree chain_;
  std::map<std::size_t, std::optional<SummationTree>> orders_;  ///< by elements; empty: the MPI library keeps none
  std::vector<const std::byte*> contributions_;                 ///< of one step, by rank
  std::vector<std::byte> scratch_;                              ///< for the order that needs most of it
  bool called_off_ = false;
};

}  // namespace airamp::pmpi
