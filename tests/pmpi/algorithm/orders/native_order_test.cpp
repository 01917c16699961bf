// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/native_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

/// The MPI library of these tests begins with the last rank and goes down to the first.
SummationTree order_of_in_process_mpi(int ranks) {
  std::vector<int> joint(static_cast<std::size_t>(ranks * ranks));
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) joint[static_cast<std::size_t>(a * ranks + b)] = ranks - std::min(a, b);
  }
  return *SummationTree::from_joint_sizes(ranks, joint);
}

AskedReduction sums(int rank, int ranks, std::size_t elements, DataType type) {
  return {.kind = Kind::allreduce,
          .comm = MPI_COMM_WORLD,
          .rank = rank,
          .ranks = ranks,
          .operands = ranks,
          .root = 0,
          .type = type,
          .elements = elements};
}

TEST(NativeOrder, IsRevealedAndConfirmed) {
  for (const int ranks : {2, 3, 4, 7, 8}) {
    const SummationTree order = order_of_in_process_mpi(ranks);
    const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
      for (const std::size_t elements : {1U, 2U, 5U, 28U, 100U}) {
        for (const DataType type : {DataType::float32, DataType::float64, DataType::complex64, DataType::complex128}) {
          const AskedReduction asked = sums(rank, ranks, elements, type);
          std::optional<SummationTree> revealed;
          EXPECT_EQ(reveal_order(asked, revealed), MPI_SUCCESS);
          EXPECT_TRUE(revealed == order);
          for (const std::size_t most : {std::size_t{1}, std::size_t{4}, any_number}) {
            const Result<bool> confirmed = confirm_order(asked, order, most);
            EXPECT_TRUE(confirmed.ok() && *confirmed);
          }
        }
      }
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

// Of few reductions the largest sums are asked about: those of neighbours in pairs are not those of a chain.
TEST(NativeOrder, AnotherOneIsNotConfirmed) {
  for (const int ranks : {4, 5, 7, 8}) {
    const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
      for (const std::size_t elements : {1U, 3U, 64U}) {
        for (const std::size_t most : {std::size_t{3}, any_number}) {
          const Result<bool> confirmed =
              confirm_order(sums(rank, ranks, elements, DataType::float64), SummationTree::pairs(ranks), most);
          EXPECT_TRUE(confirmed.ok());
          EXPECT_FALSE(*confirmed);
        }
      }
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

// Each rank has the one of its own operands, of which the first has none or one.
TEST(NativeOrder, OfPrefixesIsEachRanksOwn) {
  for (const int ranks : {2, 3, 4, 7, 8}) {
    const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
      for (const Kind kind : {Kind::scan, Kind::exscan}) {
        for (const std::size_t elements : {1U, 2U, 5U, 28U, 100U}) {
          for (const DataType type : {DataType::float32, DataType::complex128}) {
            AskedReduction asked = sums(rank, ranks, elements, type);
            asked.kind = kind;
            asked.operands = kind == Kind::scan ? rank + 1 : rank;
            std::optional<SummationTree> revealed;
            EXPECT_EQ(reveal_order(asked, revealed), MPI_SUCCESS);
            EXPECT_TRUE(revealed == order_of_in_process_mpi(std::max(1, asked.operands)));
            const Result<bool> is_chain = confirm_order(asked, SummationTree::chain(ranks), any_number);
            EXPECT_TRUE(is_chain.ok());
            EXPECT_EQ(*is_chain, ranks == (kind == Kind::scan ? 2 : 3) || ranks == 2);
          }
        }
      }
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

// All trees of four ranks, each asked of a library that adds in one of them: no other than that one is confirmed.
TEST(NativeOrder, IsConfirmedOfOneTreeAlone) {
  const SummationTree order = order_of_in_process_mpi(4);
  int confirmed_trees = 0;
  int trees = 0;
  std::vector<int> joint(16);
  for (int code = 0; code < 729; ++code) {  // of six pairs, each met in a sum of 2, 3 or 4
    int rest = code;
    for (int a = 0; a < 4; ++a) {
      for (int b = a + 1; b < 4; ++b, rest /= 3) {
        joint[static_cast<std::size_t>(a * 4 + b)] = joint[static_cast<std::size_t>(b * 4 + a)] = 2 + rest % 3;
      }
    }
    const std::optional<SummationTree> tree = SummationTree::from_joint_sizes(4, joint);
    if (!tree) continue;
    ++trees;
    const bool same = *tree == order;
    const Outcome outcome = run_ranks({.ranks = 4}, [&](int rank) {
      const Result<bool> confirmed = confirm_order(sums(rank, 4, 1, DataType::float64), *tree, any_number);
      EXPECT_TRUE(confirmed.ok());
      EXPECT_EQ(*confirmed, same);
    });
    EXPECT_EQ(outcome.trouble, "");
    confirmed_trees += same ? 1 : 0;
  }
  EXPECT_EQ(trees, 15);  // (2 * 4 - 3)!! unordered binary trees of four leaves
  EXPECT_EQ(confirmed_trees, 1);
}

}  // namespace
}  // namespace airamp::pmpi
