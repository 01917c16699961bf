// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace airamp::pmpi {

/// In which order the contributions of `ranks` ranks are added, two at a time: a binary tree, as a list of additions.
/// An operand below `ranks` is that rank's contribution, `ranks + i` the result of addition i.
class SummationTree {
 public:
  struct Addition {
    int left;
    int right;
    int place;  ///< of `places`: where the result lies while it is needed
  };

  /// Of the first two, reductions need no list.
  enum class Shape { chain, pairs, other };

  /// (((0 1) 2) 3) ..., for what any order gives the same result of. `ranks` >= 1.
  static SummationTree chain(int ranks);

  /// Neighbours in pairs, these in pairs, and so on, where who has no partner waits: ((0 1) (2 3)) 4 of five ranks. The
  /// longest way of a contribution is ceil(log2(ranks)) additions. `ranks` >= 1.
  static SummationTree pairs(int ranks);

  /// The tree in which the smallest subtree that has both rank i and rank j has `joint[i * ranks + j]` ranks; empty if
  /// there is none. (The idea that this number tells the order: Xie, Gao, Wang, Xue, "Revealing Floating-Point
  /// Accumulation Orders in Software/Hardware Implementations", arXiv:2411.00442.)
  static std::optional<SummationTree> from_joint_sizes(int ranks, const std::vector<int>& joint);

  int ranks() const { return ranks_; }
  Shape shape() const { return shape_; }                                 ///< of up to three ranks it may be either
  const std::vector<Addition>& additions() const { return additions_; }  ///< ranks - 1 of them; operands come first
  int places() const { return places_; }                                 ///< results that are needed at the same time

  bool operator==(const SummationTree& other) const;

 private:
  SummationTree(int ranks, Shape shape) : ranks_(ranks), shape_(shape) {}
  int add_pairs(int first, int ranks);
  std::optional<int> add_subtree(const std::vector<int>& members, const std::vector<int>& joint);
  void assign_places();

  int ranks_;
  Shape shape_;
  int places_ = 0;
  std::vector<Addition> additions_;
};

}  // namespace airamp::pmpi
