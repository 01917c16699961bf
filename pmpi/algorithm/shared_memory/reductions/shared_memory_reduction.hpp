// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/reduction_order.hpp"
#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/algorithm/shared_memory/shared_memory_algorithm.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/promised_order.hpp"

namespace airamp::pmpi {

/// What the reductions of numbers have in common. In which order floating-point numbers are added says the job's
/// `reduction_order`. If that is `native`, it is the one in which the MPI library itself adds them in vectors of that
/// length, which it is asked for when the length is first seen: results are the MPI library's own, to the last bit.
class SharedMemoryReduction : public SharedMemoryAlgorithm {
 public:
  /// For a reduction that reduce_by_tree knows. `comm`: the application's. Throws std::bad_alloc.
  SharedMemoryReduction(const CommunicatorResources& resources, MPI_Comm comm, Kind kind, const LocalFacts& facts);

  int execute(const CollectiveData& data) final;
  Reason why_called_off() const final { return called_off_ ? Reason::no_order_of_sums : Reason::none; }
  bool promises_native_bits() const final { return !keeps_own_order(); }
  bool adds_in_own_order() const final { return keeps_own_order(); }
  Result<bool> prepare_trial(const CollectiveData& data) final;

 protected:
  /// A call whose order is known.
  virtual int carry(const CollectiveData& data) { return SharedMemoryAlgorithm::execute(data); }

  bool is_prepared(const CollectiveData& data) const final { return known_order(data) != nullptr; }
  DataType type() const { return type_; }
  std::size_t element_bytes() const { return element_bytes_; }

  /// How a call's vectors are reduced that lie beside the ranks' words; nullptr: they do not, or its order is not
  /// known, or wants more than that.
  ShortReduction short_reduction_of(const CollectiveData& data) {
    if (short_ == nullptr || data.elements * element_bytes_ > max_short_bytes) return nullptr;
    const SummationTree* const order = known_order(data);
    return order != nullptr && order->places() <= max_short_places ? short_ : nullptr;
  }

  /// In which order a call adds; nullptr if it is not known.
  const SummationTree* known_order(const CollectiveData& data) const {
    if (!asks_) return &own_;
    const bool latest = latest_order_ != nullptr && latest_key_ == key_of(data);
    return latest ? latest_order_ : look_up_order(data);
  }

  /// Reduces elements that lie at `contribution(rank)`, in the order of a call's sums. To a result of any alignment,
  /// which may be one of the contributions.
  template <class Contribution>
  void reduce(const CollectiveData& data, std::size_t elements, const Contribution& contribution, std::byte* result) {
    for (int rank = 0; rank < group_.size(); ++rank)
      contributions_[static_cast<std::size_t>(rank)] = contribution(rank);
    reduce_contributions(*known_order(data), elements, result);
  }

 private:
  using Key = std::pair<std::size_t, int>;
  using Orders = std::map<Key, std::optional<SummationTree>>;

  static Key key_of(const CollectiveData& data) { return {data.elements, data.root}; }
  bool keeps_own_order() const { return depends_on_order(type_, op_) && order_ != ReductionOrder::native; }
  bool sums_exactly() const { return pmpi::sums_exactly(type_, op_, order_); }
  AskedReduction asked(const CollectiveData& data) const;
  bool orders_are_equal() const;
  const SummationTree* order_around(const CollectiveData& data) const;
  Result<bool> is_kept(const CollectiveData& data, const SummationTree& order) const;
  int reveal(const CollectiveData& data, std::optional<SummationTree>& tree) const;
  int find_order(const CollectiveData& data);
  bool remember(const CollectiveData& data, std::optional<SummationTree> order);
  const SummationTree* look_up_order(const CollectiveData& data) const;
  void forget_order(const CollectiveData& data);
  void reduce_contributions(const SummationTree& order, std::size_t elements, std::byte* result);

  MPI_Comm comm_;
  Kind kind_;
  DataType type_;
  ReduceOp op_;
  ReductionOrder order_;  ///< that the job wants
  bool asks_;             ///< the MPI library for its order
  std::size_t element_bytes_;
  ShortReduction short_;  ///< nullptr: of no calls
  mutable Key latest_key_{};
  mutable const SummationTree* latest_order_ = nullptr;  ///< of `orders_`, as looked up last
  SummationTree own_;                                    ///< where the MPI library is not asked
  Orders orders_;                                        ///< by elements and root; empty: the MPI library keeps none
  const SummationTree* latest_revealed_ = nullptr;       ///< of `orders_`
  std::vector<const std::byte*> contributions_;          ///< of one step, by rank
  std::vector<std::byte> scratch_;                       ///< for the order that needs most of it
  bool called_off_ = false;
};

}  // namespace airamp::pmpi
