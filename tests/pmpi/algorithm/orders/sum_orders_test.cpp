// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/sum_orders.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "pmpi/job/communicator_key.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 5;
constexpr int many = 1000;

SumOrders sums(int rank) {
  return {Kind::allreduce, MPI_COMM_WORLD, rank, ranks, {.type = DataType::float64, .op = ReduceOp::sum}};
}

CollectiveData vectors_of(std::size_t elements) {
  CollectiveData data;
  data.elements = elements;
  return data;
}

/// The calls of a length before the one whose order is known; `many` if that never comes.
int calls_without_order(SumOrders& reduction, const CollectiveData& data) {
  for (int call = 0; call < many; ++call) {
    EXPECT_EQ(reduction.find_order_if_it_pays(data), MPI_SUCCESS);
    if (reduction.known_order(data) != nullptr) return call;
    EXPECT_EQ(reduction.why_no_order(data), Reason::order_not_asked);
  }
  return many;
}

// Ranks that did not ask in the same call would not meet.
TEST(SumOrders, AsksOnceAsManyCallsWereNativeAsThatTakes) {
  for (const std::size_t elements : {1U, 7U, 1000U}) {
    std::vector<int> calls(ranks);
    const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
      SumOrders reduction = sums(rank);
      calls[static_cast<std::size_t>(rank)] = calls_without_order(reduction, vectors_of(elements));
    });
    EXPECT_EQ(outcome.trouble, "");
    EXPECT_EQ(calls, std::vector<int>(ranks, calls.front()));
    EXPECT_GE(calls.front(), static_cast<int>(reductions_to_confirm(ranks, DataType::float64, elements)));
    EXPECT_LT(calls.front(), many);
  }
}

/// As many calls as asking takes reductions, and the agreements with it.
std::size_t calls_to_confirm(std::size_t elements) {
  return reductions_to_confirm(ranks, DataType::float64, elements) + 3;
}
std::size_t calls_to_reveal(std::size_t elements) {
  return reductions_to_reveal(ranks, DataType::float64, elements) + 3;
}

/// The order of calls of this length becomes known.
void learn_order(SumOrders& reduction, std::size_t elements) {
  const Result<bool> confirmed = reduction.confirm_order_of(vectors_of(elements));
  EXPECT_TRUE(confirmed.ok() && *confirmed);
}

// The MPI library of these tests begins with the last rank of each prefix, which nobody would guess.
TEST(SumOrders, AsksAboutAllPairsOnceThatManyCallsWereNative) {
  for (const std::size_t elements : {1U, 7U}) {
    const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
      SumOrders reduction(Kind::scan, MPI_COMM_WORLD, rank, ranks, {.type = DataType::float64, .op = ReduceOp::sum});
      EXPECT_EQ(static_cast<std::size_t>(calls_without_order(reduction, vectors_of(elements))),
                calls_to_confirm(elements) + 1 + calls_to_reveal(elements));
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

TEST(SumOrders, AsksSoonerWhereItIsKnownOnAnotherCommunicator) {
  constexpr std::size_t elements = 1;
  const Outcome outcome = run_ranks({.ranks = 2 * ranks}, [&](int rank) {
    const LocalFacts facts{.type = DataType::float64, .op = ReduceOp::sum};
    SumOrders first(Kind::allreduce, MPI_COMM_WORLD, rank, 2 * ranks, facts);
    learn_order(first, elements);
    MPI_Comm comm = MPI_COMM_NULL;
    native().Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
    SumOrders later(Kind::allreduce, comm, rank, 2 * ranks, facts);
    EXPECT_EQ(calls_without_order(later, vectors_of(elements)), 4 + 3);
    EXPECT_TRUE(*later.known_order(vectors_of(elements)) == *first.known_order(vectors_of(elements)));
    native().MPI_Comm_free(&comm);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Who knows another order than the rest would ask about that, and the others not.
TEST(SumOrders, AsksAnewWhereOneRankKnowsAnotherOrder) {
  constexpr std::size_t elements = 7;
  std::vector<int> calls(ranks);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    SumOrders first = sums(rank);
    learn_order(first, elements);
    if (rank == 1) {
      const OrdersKey key{.members = members_of(MPI_COMM_WORLD, false), .kind = Kind::allreduce, .type = first.type()};
      remember_order(key, {elements + 1, 0}, SummationTree::chain(ranks));
    }
    SumOrders later = sums(rank);
    calls[static_cast<std::size_t>(rank)] = calls_without_order(later, vectors_of(elements));
    EXPECT_TRUE(*later.known_order(vectors_of(elements)) == *first.known_order(vectors_of(elements)));
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(calls, std::vector<int>(ranks, calls.front()));
  EXPECT_GE(static_cast<std::size_t>(calls.front()), calls_to_confirm(elements));
}

// A wrong order would be confirmed by no question about its largest sums.
TEST(SumOrders, DoesNotBelieveWhatIsKnown) {
  constexpr std::size_t elements = 7;
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    SumOrders first = sums(rank);
    learn_order(first, elements);
    const bool is_chain = *first.known_order(vectors_of(elements)) == SummationTree::chain(ranks);
    const OrdersKey key{.members = members_of(MPI_COMM_WORLD, false), .kind = Kind::allreduce, .type = first.type()};
    remember_order(key, {elements, 0}, is_chain ? SummationTree::pairs(ranks) : SummationTree::chain(ranks));
    SumOrders later = sums(rank);
    learn_order(later, elements);
    EXPECT_TRUE(*later.known_order(vectors_of(elements)) == *first.known_order(vectors_of(elements)));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(SumOrders, StaysNativeWhereTheLibraryIsKnownToKeepNoOrder) {
  constexpr std::size_t elements = 7;
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    const OrdersKey key{
        .members = members_of(MPI_COMM_WORLD, false), .kind = Kind::allreduce, .type = DataType::float64};
    remember_order(key, {elements, 0}, std::nullopt);
    SumOrders reduction = sums(rank);
    const Result<bool> confirmed = reduction.confirm_order_of(vectors_of(elements));
    EXPECT_TRUE(confirmed.ok() && !*confirmed);
    EXPECT_EQ(reduction.why_no_order(vectors_of(elements)), Reason::no_order_of_sums);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(SumOrders, LeavesLengthsOfFewCallsAlone) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    SumOrders reduction = sums(rank);
    for (std::size_t elements = 1; elements <= 50; ++elements) {
      EXPECT_EQ(reduction.find_order_if_it_pays(vectors_of(elements)), MPI_SUCCESS);
      EXPECT_EQ(reduction.known_order(vectors_of(elements)), nullptr);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

// The MPI library of these tests begins with the last rank of each prefix, which is a chain of two alone.
TEST(SumOrders, OfPrefixesIsThatOfThisRanksOperands) {
  for (const Kind kind : {Kind::scan, Kind::exscan}) {
    for (const int some : {2, ranks}) {
      const Outcome outcome = run_ranks({.ranks = some}, [&](int rank) {
        SumOrders reduction(kind, MPI_COMM_WORLD, rank, some, {.type = DataType::float64, .op = ReduceOp::sum});
        const CollectiveData data = vectors_of(7);
        EXPECT_FALSE(reduction.adds_in_chains(data));
        const Result<bool> found = reduction.confirm_order_of(data);
        ASSERT_TRUE(found.ok() && *found);
        EXPECT_EQ(reduction.adds_in_chains(data), some == 2);
        const int operands = kind == Kind::scan ? rank + 1 : rank;
        const SummationTree& order = *reduction.known_order(data);
        EXPECT_EQ(order.ranks(), std::max(1, operands));
        EXPECT_EQ(order == SummationTree::chain(std::max(1, operands)), operands <= 2);
      });
      EXPECT_EQ(outcome.trouble, "");
    }
  }
}

TEST(SumOrders, OfPrefixesInAnyOrderIsAChain) {
  SumOrders reduction(Kind::scan, MPI_COMM_WORLD, 2, ranks, {.type = DataType::int32, .op = ReduceOp::sum});
  EXPECT_TRUE(reduction.adds_in_chains(vectors_of(7)));
  EXPECT_TRUE(*reduction.known_order(vectors_of(7)) == SummationTree::chain(3));
}

TEST(SumOrders, AsksAtOnceAtAnyPrice) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    SumOrders reduction = sums(rank);
    CollectiveData data = vectors_of(7);
    data.at_any_price = true;
    EXPECT_EQ(calls_without_order(reduction, data), 0);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(SumOrders, AsksAtOnceToBeMeasured) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    SumOrders reduction = sums(rank);
    const Result<bool> confirmed = reduction.confirm_order_of(vectors_of(7));
    EXPECT_TRUE(confirmed.ok() && *confirmed);
    EXPECT_EQ(calls_without_order(reduction, vectors_of(7)), 0);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
