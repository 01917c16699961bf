// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/reduction_order.hpp"
#include "pmpi/algorithm/orders/known_orders.hpp"
#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/summation_tree.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/collective_data.hpp"
#include "pmpi/call/promised_order.hpp"
#include "pmpi/mpi/result.hpp"

namespace airamp::pmpi {

/// In which order calls of one signature on one communicator add. That says the job's `reduction_order`. If it is
/// `native`, floating-point numbers are added in the order in which the MPI library itself adds them in vectors of that
/// length, which it is asked for when the length is first seen: results are the MPI library's own, to the last bit.
///
/// What it knows is the same on all ranks between two collectives. Used by one thread at a time.
class SumOrders {
 public:
  /// How much it asks the MPI library: until its order is known, which may take as many reductions as there are pairs
  /// of ranks, or whether it is one of those that libraries have most often, which takes as many as ranks.
  enum class Asks { until_known, about_likely_orders };

  /// Of a reduction that reduce_by_tree knows, among `ranks` ranks. `comm`: the application's. Throws std::bad_alloc.
  SumOrders(Kind kind, MPI_Comm comm, int rank, int ranks, const LocalFacts& facts, Asks asks = Asks::until_known);

  Kind kind() const { return kind_; }
  DataType type() const { return type_; }
  ReduceOp op() const { return op_; }
  int operands() const { return operands_; }  ///< the first so many ranks' contributions: all, but of a prefix

  /// Whether sums have no order, as they are exact.
  bool sums_exactly() const { return pmpi::sums_exactly(type_, op_, order_); }

  /// Whether the order is the job's own, not the MPI library's.
  bool keeps_own_order() const { return depends_on_order(type_, op_) && order_ != ReductionOrder::native; }

  /// Asks the MPI library for the order of calls of this length, if it is not known and if that pays: as many calls of
  /// one length as asking takes reductions are left to the library first. Collective; returns an MPI error code.
  /// `known_order` says what came of it.
  int find_order_if_it_pays(const CollectiveData& data);

  /// The same, and asks again where it is known: a library that changes its mind is left alone. Whether there is an
  /// order. Collective.
  Result<bool> confirm_order_of(const CollectiveData& data);

  /// Of a call whose order is not known.
  Reason why_no_order(const CollectiveData& data) const {
    const VectorKey key = key_of(data);
    return key == no_key || orders_.contains(key) ? Reason::no_order_of_sums : Reason::order_not_asked;
  }

  /// In which order a call adds; nullptr if it is not known.
  const SummationTree* known_order(const CollectiveData& data) const {
    if (!asks_) return &own_;
    const bool latest = latest_order_ != nullptr && latest_key_ == key_of(data);
    return latest ? latest_order_ : look_up_order(data);
  }

  /// Of a prefix: whether every rank's operands are added one after the other. The same on all ranks.
  bool adds_in_chains(const CollectiveData& data) const {
    return known_order(data) != nullptr && (!asks_ || latest_is_chain_);
  }

 protected:
  /// Where contributions are reduced in any of the known orders. It is part of knowing one: all ranks must have it.
  std::byte* scratch() { return scratch_.data(); }

 private:
  /// Two lengths may share a counter: they are asked about earlier.
  static constexpr std::size_t counters = 64;

  struct Order {
    SummationTree tree;     ///< of this rank's operands
    bool is_chain = false;  ///< of a prefix: and so are all ranks'; the same on all
  };

  /// Of lengths that are not asked about yet.
  struct AskedLater {
    std::uint16_t calls = 0;  ///< since they were asked about last
    bool guessed_in_vain = false;
  };

  using Orders = std::map<VectorKey, std::optional<Order>>;

  /// Of what is never asked about.
  static constexpr VectorKey no_key{0, -1};
  /// By what calls are added in one order; the same on all ranks. Of a reduce_scatter whose blocks differ in length
  /// there is none: it may be divided in any way.
  static VectorKey key_of(const CollectiveData& data) {
    return data.is_even() ? VectorKey{data.elements, data.root} : no_key;
  }
  AskedLater& later_of(const CollectiveData& data) {
    return asked_later_[(data.elements + static_cast<std::size_t>(data.root)) % counters];
  }
  bool knows_about(const CollectiveData& data) const;
  bool pays_to_ask(const CollectiveData& data);
  std::size_t reductions_to_ask(const CollectiveData& data);
  int find_order(const CollectiveData& data, bool to_the_end);
  int recall_orders();
  void let_others_know(const CollectiveData& data) const;
  /// On earlier communicators; nullptr if it was not asked for there.
  const std::optional<SummationTree>* known_elsewhere(const CollectiveData& data) const;
  AskedReduction asked(const CollectiveData& data) const;
  bool orders_are_equal() const;
  const SummationTree* order_around(const CollectiveData& data) const;
  Result<bool> is_kept(const CollectiveData& data, const SummationTree& order) const;
  int guess(const CollectiveData& data, std::optional<Order>& order) const;
  int reveal(const CollectiveData& data, std::optional<Order>& order) const;
  bool remember(const CollectiveData& data, std::optional<Order> order);
  const SummationTree* look_up_order(const CollectiveData& data) const;
  void forget_order(const CollectiveData& data);

  MPI_Comm comm_;
  int rank_;
  int ranks_;
  int operands_;
  Kind kind_;
  DataType type_;
  ReduceOp op_;
  ReductionOrder order_;  ///< that the job wants
  bool asks_;             ///< the MPI library for its order
  Asks how_much_;
  mutable VectorKey latest_key_{};
  mutable const SummationTree* latest_order_ = nullptr;  ///< of `orders_`, as looked up last
  mutable bool latest_is_chain_ = false;                 ///< of the same
  SummationTree own_;                                    ///< where the MPI library is not asked
  SummationTree chain_;                                  ///< of all ranks
  Orders orders_;                                        ///< by elements and root; empty: the MPI library keeps none
  std::array<AskedLater, counters> asked_later_{};
  bool has_recalled_ = false;
  OrdersKey known_as_;                              ///< its members are not known before that
  KnownOrders known_;                               ///< from other communicators; the same on all ranks
  const SummationTree* latest_revealed_ = nullptr;  ///< of `orders_`
  std::vector<std::byte> scratch_;                  ///< for the order that needs most of it
};

}  // namespace airamp::pmpi
