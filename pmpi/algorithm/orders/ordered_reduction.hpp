// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/algorithm/orders/sum_orders.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/collective_data.hpp"

namespace airamp::pmpi {

/// Reductions of contributions that this rank can read, in the order of each call's sums. Of one signature on one
/// communicator. Used by one thread at a time.
class OrderedReduction : public SumOrders {
 public:
  /// As SumOrders'.
  OrderedReduction(Kind kind, MPI_Comm comm, int rank, int ranks, const LocalFacts& facts,
                   Asks asks = Asks::until_known);

  std::size_t element_bytes() const { return element_bytes_; }

  /// How a call's vectors are reduced that lie beside the ranks' words; nullptr: they do not, or its order is not
  /// known, or wants more than that.
  ShortReduction short_reduction_of(const CollectiveData& data) const {
    if (!is_short(data.elements)) return nullptr;
    const SummationTree* const order = known_order(data);
    return order != nullptr ? short_reduction_in(*order, data.elements) : nullptr;
  }

  /// The same of so many elements of each rank's vector, in a known order.
  ShortReduction short_reduction_in(const SummationTree& order, std::size_t elements) const {
    return is_short(elements) && order.places() <= max_short_places ? short_ : nullptr;
  }

  /// How vectors of any length are reduced in a known order that lie at equal distances; nullptr: it wants more than
  /// that.
  ShortReduction strided_reduction_in(const SummationTree& order) const {
    return order.places() <= max_short_places ? strided_ : nullptr;
  }

  /// Reduces elements that lie at `contribution(rank)`, in the order of a call's sums. To a result of any alignment,
  /// which may be one of the contributions.
  template <class Contribution>
  void reduce(const CollectiveData& data, std::size_t elements, const Contribution& contribution, std::byte* result) {
    reduce_in(*known_order(data), elements, contribution, result);
  }

  /// The same in a known order.
  template <class Contribution>
  void reduce_in(const SummationTree& order, std::size_t elements, const Contribution& contribution,
                 std::byte* result) {
    for (int rank = 0; rank < operands(); ++rank) contributions_[static_cast<std::size_t>(rank)] = contribution(rank);
    reduce_contributions(order, elements, result);
  }

 private:
  bool is_short(std::size_t elements) const {
    return short_ != nullptr && elements * element_bytes_ <= max_short_bytes;
  }
  void reduce_contributions(const SummationTree& order, std::size_t elements, std::byte* result);

  std::size_t element_bytes_;
  ShortReduction short_;                         ///< nullptr: of no calls
  ShortReduction strided_;                       ///< likewise
  std::vector<const std::byte*> contributions_;  ///< of one step, by rank
};

}  // namespace airamp::pmpi
