// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/summation_tree.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace airamp::pmpi {
namespace {

std::string text_of(const SummationTree& tree, int operand) {
  if (operand < tree.ranks()) return std::to_string(operand);
  const SummationTree::Addition& addition = tree.additions()[static_cast<std::size_t>(operand - tree.ranks())];
  return "(" + text_of(tree, addition.left) + " " + text_of(tree, addition.right) + ")";
}

std::string text_of(const SummationTree& tree) { return text_of(tree, 2 * tree.ranks() - 2); }

std::set<int> members_of(const SummationTree& tree, int operand) {
  if (operand < tree.ranks()) return {operand};
  const SummationTree::Addition& addition = tree.additions()[static_cast<std::size_t>(operand - tree.ranks())];
  std::set<int> members = members_of(tree, addition.left);
  members.merge(members_of(tree, addition.right));
  return members;
}

/// What a library that adds in this order would show of itself.
std::vector<int> joint_sizes_of(const SummationTree& tree) {
  const int ranks = tree.ranks();
  std::vector<int> joint(static_cast<std::size_t>(ranks * ranks), 1);
  for (int i = static_cast<int>(tree.additions().size()) - 1; i >= 0; --i) {
    const std::set<int> members = members_of(tree, ranks + i);
    for (const int a : members) {
      for (const int b : members) {
        if (a != b) joint[static_cast<std::size_t>(a * ranks + b)] = static_cast<int>(members.size());
      }
    }
  }
  return joint;
}

TEST(SummationTree, ChainAddsOneRankAfterTheOther) {
  EXPECT_EQ(text_of(SummationTree::chain(1)), "0");
  EXPECT_EQ(text_of(SummationTree::chain(2)), "(0 1)");
  EXPECT_EQ(text_of(SummationTree::chain(4)), "(((0 1) 2) 3)");
  EXPECT_EQ(SummationTree::chain(9).places(), 1);
}

TEST(SummationTree, PairsWaitWhereTheyHaveNoPartner) {
  EXPECT_EQ(text_of(SummationTree::pairs(1)), "0");
  EXPECT_EQ(text_of(SummationTree::pairs(2)), "(0 1)");
  EXPECT_EQ(text_of(SummationTree::pairs(3)), "((0 1) 2)");
  EXPECT_EQ(text_of(SummationTree::pairs(5)), "(((0 1) (2 3)) 4)");
  EXPECT_EQ(text_of(SummationTree::pairs(7)), "(((0 1) (2 3)) ((4 5) 6))");
  EXPECT_EQ(text_of(SummationTree::pairs(8)), "(((0 1) (2 3)) ((4 5) (6 7)))");
}

// The left part of each sum waits while the right one is added: log2(ranks) places do.
TEST(SummationTree, PairsTakeFewPlaces) {
  EXPECT_EQ(SummationTree::pairs(2).places(), 1);
  EXPECT_EQ(SummationTree::pairs(8).places(), 3);
  EXPECT_EQ(SummationTree::pairs(256).places(), 8);
}

// Pairs and pairs of pairs of four ranks meet first in subtrees of two, then of four.
TEST(SummationTree, IsToldByTheSizesOfJointSubtrees) {
  const auto tree = SummationTree::from_joint_sizes(4, {1, 2, 4, 4,  //
                                                        2, 1, 4, 4,  //
                                                        4, 4, 1, 2,  //
                                                        4, 4, 2, 1});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(text_of(*tree), "((0 1) (2 3))");
  EXPECT_EQ(tree->places(), 2);
}

// (((0 1) 2) (3 4)), as recursive doubling adds five ranks.
TEST(SummationTree, OfAnOddNumberOfRanks) {
  const auto tree = SummationTree::from_joint_sizes(5, {1, 2, 3, 5, 5,  //
                                                        2, 1, 3, 5, 5,  //
                                                        3, 3, 1, 5, 5,  //
                                                        5, 5, 5, 1, 2,  //
                                                        5, 5, 5, 2, 1});
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(text_of(*tree), "(((0 1) 2) (3 4))");
  EXPECT_EQ(tree->shape(), SummationTree::Shape::other);
}

TEST(SummationTree, OfWhatIsNoTreeIsNone) {
  // rank 0 meets 1 and 2 early, but these two meet late
  EXPECT_FALSE(SummationTree::from_joint_sizes(3, {1, 2, 2, 2, 1, 3, 2, 3, 1}).has_value());
  // nobody ever meets everybody
  EXPECT_FALSE(SummationTree::from_joint_sizes(3, {1, 2, 2, 2, 1, 2, 2, 2, 1}).has_value());
  // one says so, the other not
  EXPECT_FALSE(SummationTree::from_joint_sizes(2, {1, 2, 1, 1}).has_value());
}

TEST(SummationTree, OfATreeIsTheTree) {
  for (const int ranks : {1, 2, 3, 7, 32}) {
    for (const SummationTree& known : {SummationTree::chain(ranks), SummationTree::pairs(ranks)}) {
      const auto tree = SummationTree::from_joint_sizes(ranks, joint_sizes_of(known));
      ASSERT_TRUE(tree.has_value()) << ranks;
      EXPECT_TRUE(*tree == known) << ranks;
      EXPECT_TRUE(ranks <= 3 || tree->shape() == known.shape()) << ranks;
    }
  }
}

// A place is taken again only when its result has been used.
TEST(SummationTree, KeepsEveryResultUntilItIsUsed) {
  const auto tree = SummationTree::from_joint_sizes(8, [] {
    std::vector<int> joint(64);
    for (int a = 0; a < 8; ++a) {
      for (int b = 0; b < 8; ++b)
        joint[static_cast<std::size_t>(8 * a + b)] = a / 2 == b / 2 ? 2 : a / 4 == b / 4 ? 4 : 8;
    }
    return joint;
  }());
  ASSERT_TRUE(tree.has_value());
  std::vector<int> lies(static_cast<std::size_t>(tree->places()), -1);
  for (int i = 0; i < 7; ++i) {
    const SummationTree::Addition& addition = tree->additions()[static_cast<std::size_t>(i)];
    for (const int operand : {addition.left, addition.right}) {
      if (operand < 8) continue;
      const int place = tree->additions()[static_cast<std::size_t>(operand - 8)].place;
      EXPECT_EQ(lies[static_cast<std::size_t>(place)], operand);
    }
    lies[static_cast<std::size_t>(addition.place)] = 8 + i;
  }
}

}  // namespace
}  // namespace airamp::pmpi
