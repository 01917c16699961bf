// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/ordered_reduction.hpp"

#include "codec/exact_sum.hpp"
#include "pmpi/algorithm/orders/strided_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {

OrderedReduction::OrderedReduction(Kind kind, MPI_Comm comm, int rank, int ranks, const LocalFacts& facts, Asks asks)
    : SumOrders(kind, comm, rank, ranks, facts, asks),
      element_bytes_(size_of(facts.type)),
      short_(sums_exactly() ? nullptr : short_reduction(facts.type, facts.op)),
      strided_(sums_exactly() ? nullptr : strided_reduction(facts.type, facts.op)),
      contributions_(static_cast<std::size_t>(operands())) {}

void OrderedReduction::reduce_contributions(const SummationTree& order, std::size_t elements, std::byte* result) {
  if (sums_exactly()) return codec::sum_exactly(type(), contributions_.data(), contributions_.size(), elements, result);
  reduce_by_tree(order, type(), op(), contributions_.data(), elements, scratch(), result);
}

}  // namespace airamp::pmpi
