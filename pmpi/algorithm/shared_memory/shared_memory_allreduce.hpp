// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "pmpi/algorithm/algorithm.hpp"
#include "pmpi/algorithm/shared_memory/summation_tree.hpp"
#include "pmpi/algorithm/staged_exchange.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/group/host_group.hpp"

namespace airamp::pmpi {

/// Allreduce of numbers in host memory among the ranks of one host, through memory that they share. The vector goes in
/// chunks: every rank writes its own contribution, reduces its part of all contributions, and reads the result of all.
/// Short vectors are written before the ranks agree on the call, and reduced by every rank for itself.
///
/// Floating-point numbers are added in the order in which the MPI library itself adds vectors of that length, which it
/// is asked for when the length is first seen: results are the MPI library's own, to the last bit.
class SharedMemoryAllreduce final : public Algorithm, public StagedExchange {
 public:
  /// For a reduction that reduce_by_tree knows. `comm`: the application's. Throws std::bad_alloc.
  SharedMemoryAllreduce(HostGroup& group, MPI_Comm comm, const LocalFacts& facts);

  int execute(const CollectiveData& data) override;
  Reason why_called_off() const override { return called_off_ ? Reason::no_order_of_sums : Reason::none; }
  Result<bool> prepare_trial(const CollectiveData& data) override;
  bool promises_native_bits() const override { return true; }

  StagedExchange* staged_exchange() override { return this; }
  bool stage(const CollectiveData& data) override;
  void finish(const CollectiveData& data) override;

 private:
  int find_order(std::size_t elements, const SummationTree*& order);
  bool remember(std::size_t elements, std::optional<SummationTree> order);
  const SummationTree* known_order(std::size_t elements) const;
  bool carry(const CollectiveData& data, const SummationTree& order);
  bool carry_in_chunks(const CollectiveData& data, const SummationTree& order);

  HostGroup& group_;
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
