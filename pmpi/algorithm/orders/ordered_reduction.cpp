// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/ordered_reduction.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <new>

#include "codec/exact_sum.hpp"
#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/strided_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/job/job.hpp"
#include "pmpi/mpi/agree.hpp"

namespace airamp::pmpi {
namespace {

/// The MPI library is asked for its order of so many lengths; others stay native.
constexpr std::size_t max_lengths = 64;

/// Reductions that a look at an order may take of which little doubt is left.
constexpr std::size_t few_reductions = 4;

/// What find_order needs besides the reductions, each as good as one: memory, whether an order is confirmed, and
/// whether all ranks have it.
constexpr std::size_t agreements_to_ask = 3;

int operands_of(Kind kind, int rank, int ranks) {
  return kind == Kind::scan ? rank + 1 : kind == Kind::exscan ? rank : ranks;
}

/// The first rank of an exclusive scan has no operands, and takes nothing.
SummationTree own_order(Kind kind, int ranks, int operands, const LocalFacts& facts) {
  if (is_prefix(kind)) return SummationTree::chain(std::max(1, operands));
  return depends_on_order(facts.type, facts.op) ? SummationTree::pairs(ranks) : SummationTree::chain(ranks);
}

}  // namespace

OrderedReduction::OrderedReduction(Kind kind, MPI_Comm comm, int rank, int ranks, const LocalFacts& facts, Asks asks)
    : comm_(comm),
      rank_(rank),
      ranks_(ranks),
      operands_(operands_of(kind, rank, ranks)),
      kind_(kind),
      type_(facts.type),
      op_(facts.op),
      order_(job().settings.reduction_order),
      asks_(depends_on_order(type_, op_) && order_ == ReductionOrder::native),
      how_much_(asks),
      element_bytes_(size_of(type_)),
      short_(sums_exactly() ? nullptr : short_reduction(type_, op_)),
      strided_(sums_exactly() ? nullptr : strided_reduction(type_, op_)),
      own_(own_order(kind, ranks, operands_, facts)),
      chain_(SummationTree::chain(ranks)),
      contributions_(static_cast<std::size_t>(operands_)),
      scratch_(scratch_bytes(own_)) {}

/// The MPI library is asked again, before its results are compared with ours: one that changes its mind is left alone.
Result<bool> OrderedReduction::confirm_order_of(const CollectiveData& data) {
  if (const int error = find_order(data); error != MPI_SUCCESS) return MpiError{error};
  const SummationTree* const order = known_order(data);
  if (order == nullptr || !asks_) return order != nullptr;
  const Result<bool> kept = is_kept(data, *order);
  if (kept.ok() && !*kept) forget_order(data);
  return kept;
}

AskedReduction OrderedReduction::asked(const CollectiveData& data) const {
  return {.kind = kind_,
          .comm = comm_,
          .rank = rank_,
          .ranks = ranks_,
          .operands = operands_,
          .root = data.root,
          .type = type_,
          .elements = data.elements};
}

/// Each rank's block may have an order of its own where blocks are scattered, and its operands in a prefix.
bool OrderedReduction::orders_are_equal() const { return !scatters(kind_) && !is_prefix(kind_); }

/// Whether the MPI library still adds in the order in which it did. The same on all ranks.
Result<bool> OrderedReduction::is_kept(const CollectiveData& data, const SummationTree& order) const {
  if (orders_are_equal()) return confirm_order(asked(data), order, few_reductions);
  if (is_prefix(kind_) && adds_in_chains(data)) return confirm_order(asked(data), chain_, few_reductions);
  std::optional<SummationTree> again;
  if (const int error = reveal_order(asked(data), again); error != MPI_SUCCESS) return MpiError{error};
  return agree_on_success(comm_, again && *again == order);
}

/// The order of a shorter and of a longer vector, if it is one: a library has an order for all lengths of a range. The
/// same on all ranks.
const SummationTree* OrderedReduction::order_around(const CollectiveData& data) const {
  const auto longer = orders_.upper_bound(key_of(data));
  if (longer == orders_.end() || longer == orders_.begin()) return nullptr;
  const auto shorter = std::prev(longer);
  const bool one_root = longer->first.second == data.root && shorter->first.second == data.root;
  const bool one_order = shorter->second && longer->second && shorter->second->tree == longer->second->tree;
  return one_root && one_order ? &longer->second->tree : nullptr;
}

/// An MPI library has few orders: that of lengths around it is the first guess, that of the length before the second,
/// neighbours in pairs the third. Of a prefix it is a chain.
int OrderedReduction::reveal(const CollectiveData& data, std::optional<Order>& order) const {
  struct Guess {
    const SummationTree* order;
    std::size_t most_reductions;
  };
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  if (is_prefix(kind_)) {
    const Result<bool> confirmed = confirm_order(asked(data), chain_, all);
    if (!confirmed.ok()) return confirmed.error();
    if (*confirmed) {
      order = {.tree = own_, .is_chain = true};
      return MPI_SUCCESS;
    }
  }
  const bool own_was_latest = latest_revealed_ != nullptr && *latest_revealed_ == own_;
  const std::array<Guess, 3> guesses = {Guess{order_around(data), few_reductions}, Guess{latest_revealed_, all},
                                        Guess{own_was_latest ? nullptr : &own_, all}};
  for (const auto& [guess, most_reductions] : guesses) {
    if (guess == nullptr || !orders_are_equal()) continue;
    const Result<bool> confirmed = confirm_order(asked(data), *guess, most_reductions);
    if (!confirmed.ok()) return confirmed.error();
    if (!*confirmed) continue;
    order = {.tree = *guess};
    return MPI_SUCCESS;
  }
  if (how_much_ != Asks::until_known) return MPI_SUCCESS;
  std::optional<SummationTree> tree;
  const int error = reveal_order(asked(data), tree);
  if (tree) order = {.tree = *std::move(tree)};
  return error;
}

/// Or will know no more.
bool OrderedReduction::knows_about(const CollectiveData& data) const {
  const Key key = key_of(data);
  return !asks_ || key == no_key || orders_.contains(key) || orders_.size() == max_lengths;
}

/// The same on all ranks, which have had the same calls. Needs no memory, which one rank alone might not have.
bool OrderedReduction::pays_to_ask(const CollectiveData& data) {
  if (data.at_any_price) return true;
  const std::size_t reductions = reductions_to_confirm(ranks_, type_, data.elements) + agreements_to_ask;
  std::uint16_t& left = left_native_[(data.elements + static_cast<std::size_t>(data.root)) % counters];
  if (left < reductions) {
    ++left;
    return false;
  }
  left = 0;
  return true;
}

int OrderedReduction::find_order_if_it_pays(const CollectiveData& data) {
  return knows_about(data) || !pays_to_ask(data) ? MPI_SUCCESS : find_order(data);
}

/// On all ranks or on none: what they have asked for is the same. There is none where the MPI library keeps none on
/// some rank, each of which may have an order of its own.
int OrderedReduction::find_order(const CollectiveData& data) {
  if (knows_about(data)) return MPI_SUCCESS;
  enum Answer : int { no_memory, no_order, an_order };
  std::optional<Order> order;
  if (const int error = reveal(data, order); error != MPI_SUCCESS) return error;
  const Answer answer = order ? an_order : no_order;
  const Result<int> least = agree_on_least(comm_, remember(data, std::move(order)) ? answer : no_memory);
  if (!least.ok()) return least.error();
  if (*least == no_order) forget_order(data);
  if (*least == an_order) latest_revealed_ = known_order(data);
  if (*least == no_memory) orders_.erase(key_of(data));  // to be asked for again, on all ranks
  return MPI_SUCCESS;
}

/// Whether there was memory for it.
bool OrderedReduction::remember(const CollectiveData& data, std::optional<Order> order) {
  try {
    if (order) scratch_.resize(std::max(scratch_.size(), scratch_bytes(order->tree)));
    orders_.emplace(key_of(data), std::move(order));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

const SummationTree* OrderedReduction::look_up_order(const CollectiveData& data) const {
  const auto found = orders_.find(key_of(data));
  if (found == orders_.end() || !found->second) return nullptr;
  latest_key_ = key_of(data);
  latest_order_ = &found->second->tree;
  latest_is_chain_ = found->second->is_chain;
  return latest_order_;
}

void OrderedReduction::forget_order(const CollectiveData& data) {
  latest_order_ = nullptr;
  latest_revealed_ = nullptr;
  orders_[key_of(data)].reset();
}

void OrderedReduction::reduce_contributions(const SummationTree& order, std::size_t elements, std::byte* result) {
  if (sums_exactly()) return codec::sum_exactly(type_, contributions_.data(), contributions_.size(), elements, result);
  reduce_by_tree(order, type_, op_, contributions_.data(), elements, scratch_.data(), result);
}

}  // namespace airamp::pmpi
