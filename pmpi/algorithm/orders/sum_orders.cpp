// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/sum_orders.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <new>

#include "pmpi/algorithm/orders/native_order.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"
#include "pmpi/job/communicator_key.hpp"
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

SumOrders::SumOrders(Kind kind, MPI_Comm comm, int rank, int ranks, const LocalFacts& facts, Asks asks)
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
      own_(own_order(kind, ranks, operands_, facts)),
      chain_(SummationTree::chain(ranks)),
      known_as_{.members = 0, .kind = kind, .type = type_},
      scratch_(scratch_bytes(own_)) {}

/// The MPI library is asked again, before its results are compared with ours: one that changes its mind is left alone.
Result<bool> SumOrders::confirm_order_of(const CollectiveData& data) {
  if (const int error = recall_orders(); error != MPI_SUCCESS) return MpiError{error};
  if (const int error = find_order(data, true); error != MPI_SUCCESS) return MpiError{error};
  const SummationTree* const order = known_order(data);
  if (order == nullptr || !asks_) return order != nullptr;
  const Result<bool> kept = is_kept(data, *order);
  if (kept.ok() && !*kept) {
    forget_order(data);
    let_others_know(data);
  }
  return kept;
}

AskedReduction SumOrders::asked(const CollectiveData& data) const {
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
bool SumOrders::orders_are_equal() const { return !scatters(kind_) && !is_prefix(kind_); }

/// Whether the MPI library still adds in the order in which it did. The same on all ranks.
Result<bool> SumOrders::is_kept(const CollectiveData& data, const SummationTree& order) const {
  if (orders_are_equal()) return confirm_order(asked(data), order, few_reductions);
  if (is_prefix(kind_) && adds_in_chains(data)) return confirm_order(asked(data), chain_, few_reductions);
  std::optional<SummationTree> again;
  if (const int error = reveal_order(asked(data), again); error != MPI_SUCCESS) return MpiError{error};
  return agree_on_success(comm_, again && *again == order);
}

/// The order of a shorter and of a longer vector, if it is one: a library has an order for all lengths of a range. The
/// same on all ranks.
const SummationTree* SumOrders::order_around(const CollectiveData& data) const {
  const auto longer = orders_.upper_bound(key_of(data));
  if (longer == orders_.end() || longer == orders_.begin()) return nullptr;
  const auto shorter = std::prev(longer);
  const bool one_root = longer->first.root == data.root && shorter->first.root == data.root;
  const bool one_order = shorter->second && longer->second && shorter->second->tree == longer->second->tree;
  return one_root && one_order ? &longer->second->tree : nullptr;
}

/// What has been found out on other communicators of the same ranks. The same on all ranks. Collective, once.
int SumOrders::recall_orders() {
  if (has_recalled_ || !asks_ || scatters(kind_)) return MPI_SUCCESS;
  has_recalled_ = true;
  known_as_.members = members_of(comm_, false);
  KnownOrders known;
  try {
    known = known_orders(known_as_);
  } catch (const std::bad_alloc&) {  // as if there were none
  }
  const auto is_equal = agree_on_equality(comm_, std::array{digest_of(known)});
  if (is_equal.ok() && is_equal->front()) known_ = std::move(known);
  return is_equal.error();
}

/// Which is the same on all ranks: of prefixes, where each has its own operands, only that it is a chain.
void SumOrders::let_others_know(const CollectiveData& data) const {
  const std::optional<Order>& order = orders_.find(key_of(data))->second;
  if (!order && how_much_ != Asks::until_known) return;  // another one may ask more
  if (!order) return remember_order(known_as_, key_of(data), std::nullopt);
  if (orders_are_equal()) return remember_order(known_as_, key_of(data), order->tree);
  if (order->is_chain) remember_order(known_as_, key_of(data), chain_);
}

const std::optional<SummationTree>* SumOrders::known_elsewhere(const CollectiveData& data) const {
  const auto known = known_.find(key_of(data));
  return known != known_.end() ? &known->second : nullptr;
}

/// Whether the order is one that libraries have most often, or that has been found before. An MPI library has few: the
/// first guess is what it has on other communicators of these ranks, the second what it has of lengths around this one,
/// then that of the length before, the nearest one on other communicators, and neighbours in pairs. Of a prefix it is a
/// chain.
int SumOrders::guess(const CollectiveData& data, std::optional<Order>& order) const {
  struct Guess {
    const SummationTree* order;
    std::size_t most_reductions;
  };
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  const std::optional<SummationTree>* const known = known_elsewhere(data);
  const SummationTree* const here = known != nullptr && *known ? &**known : nullptr;
  std::array<Guess, 5> guesses{};
  if (is_prefix(kind_)) {
    guesses[0] = {&chain_, here != nullptr ? few_reductions : all};
  } else if (orders_are_equal()) {
    guesses = {Guess{here, few_reductions}, Guess{order_around(data), few_reductions}, Guess{latest_revealed_, all},
               Guess{nearest_order(known_, key_of(data)), all}, Guess{&own_, all}};
  }
  for (auto guess = guesses.begin(); guess != guesses.end(); ++guess) {
    const auto is_the_same = [&](const Guess& before) {
      return before.order != nullptr && *before.order == *guess->order;
    };
    if (guess->order == nullptr || std::any_of(guesses.begin(), guess, is_the_same)) continue;
    const Result<bool> confirmed = confirm_order(asked(data), *guess->order, guess->most_reductions);
    if (!confirmed.ok()) return confirmed.error();
    if (!*confirmed) continue;
    order = is_prefix(kind_) ? Order{.tree = own_, .is_chain = true} : Order{.tree = *guess->order};
    return MPI_SUCCESS;
  }
  return MPI_SUCCESS;
}

/// In one reduction for each pair of ranks, about.
int SumOrders::reveal(const CollectiveData& data, std::optional<Order>& order) const {
  std::optional<SummationTree> tree;
  const int error = reveal_order(asked(data), tree);
  if (tree) order = {.tree = *std::move(tree)};
  return error;
}

/// Or will know no more.
bool SumOrders::knows_about(const CollectiveData& data) const {
  const VectorKey key = key_of(data);
  return !asks_ || key == no_key || orders_.contains(key) || orders_.size() == max_lengths;
}

/// The same on all ranks, which have had the same calls. Needs no memory, which one rank alone might not have.
bool SumOrders::pays_to_ask(const CollectiveData& data) {
  if (data.at_any_price) return true;
  AskedLater& later = later_of(data);
  if (later.calls < reductions_to_ask(data) + agreements_to_ask) {
    ++later.calls;
    return false;
  }
  later.calls = 0;
  return true;
}

std::size_t SumOrders::reductions_to_ask(const CollectiveData& data) {
  if (later_of(data).guessed_in_vain) return reductions_to_reveal(ranks_, type_, data.elements);
  const std::size_t to_confirm = reductions_to_confirm(ranks_, type_, data.elements);
  return known_elsewhere(data) != nullptr ? std::min(few_reductions, to_confirm) : to_confirm;
}

int SumOrders::find_order_if_it_pays(const CollectiveData& data) {
  if (knows_about(data)) return MPI_SUCCESS;
  if (const int error = recall_orders(); error != MPI_SUCCESS) return error;
  if (!pays_to_ask(data)) return MPI_SUCCESS;
  return find_order(data, data.at_any_price || later_of(data).guessed_in_vain);
}

/// On all ranks or on none: what they have asked for is the same. There is none where the MPI library keeps none on
/// some rank, each of which may have an order of its own. `to_the_end`: if it is none of those that are guessed, it is
/// asked for pair by pair; else that is left for later.
int SumOrders::find_order(const CollectiveData& data, bool to_the_end) {
  if (knows_about(data)) return MPI_SUCCESS;
  enum Answer : int { no_memory, no_order, an_order };
  std::optional<Order> order;
  const std::optional<SummationTree>* const known = known_elsewhere(data);
  const bool has_none = known != nullptr && !*known;
  if (!has_none) {
    if (const int error = guess(data, order); error != MPI_SUCCESS) return error;
    if (!order && how_much_ == Asks::until_known) {
      later_of(data).guessed_in_vain = !to_the_end;
      if (!to_the_end) return MPI_SUCCESS;
      if (const int error = reveal(data, order); error != MPI_SUCCESS) return error;
    }
  }
  const Answer answer = order ? an_order : no_order;
  const Result<int> least = agree_on_least(comm_, remember(data, std::move(order)) ? answer : no_memory);
  if (!least.ok()) return least.error();
  if (*least == no_order) forget_order(data);
  if (*least == an_order) latest_revealed_ = known_order(data);
  if (*least == no_memory) orders_.erase(key_of(data));  // to be asked for again, on all ranks
  if (*least != no_memory) let_others_know(data);
  return MPI_SUCCESS;
}

/// Whether there was memory for it.
bool SumOrders::remember(const CollectiveData& data, std::optional<Order> order) {
  try {
    if (order) scratch_.resize(std::max(scratch_.size(), scratch_bytes(order->tree)));
    orders_.emplace(key_of(data), std::move(order));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

const SummationTree* SumOrders::look_up_order(const CollectiveData& data) const {
  const auto found = orders_.find(key_of(data));
  if (found == orders_.end() || !found->second) return nullptr;
  latest_key_ = key_of(data);
  latest_order_ = &found->second->tree;
  latest_is_chain_ = found->second->is_chain;
  return latest_order_;
}

void SumOrders::forget_order(const CollectiveData& data) {
  latest_order_ = nullptr;
  latest_revealed_ = nullptr;
  orders_[key_of(data)].reset();
}

}  // namespace airamp::pmpi
