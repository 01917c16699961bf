// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/summation_tree.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace airamp::pmpi {

SummationTree SummationTree::chain(int ranks) {
  SummationTree tree(ranks, Shape::chain);
  for (int rank = 1; rank < ranks; ++rank) {
    tree.additions_.push_back({.left = rank == 1 ? 0 : ranks + rank - 2, .right = rank, .place = 0});
  }
  tree.assign_places();
  return tree;
}

SummationTree SummationTree::pairs(int ranks) {
  SummationTree tree(ranks, Shape::pairs);
  tree.add_pairs(0, ranks);
  tree.assign_places();
  return tree;
}

/// The operand that `ranks` ranks from `first` on are. Depth first, so that few results wait for others.
int SummationTree::add_pairs(int first, int ranks) {
  if (ranks == 1) return first;
  const auto left_ranks = static_cast<int>(std::bit_floor(static_cast<unsigned>(ranks - 1)));
  const int left = add_pairs(first, left_ranks);
  const int right = add_pairs(first + left_ranks, ranks - left_ranks);
  additions_.push_back({.left = left, .right = right, .place = 0});
  return ranks_ + static_cast<int>(additions_.size()) - 1;
}

std::optional<SummationTree> SummationTree::from_joint_sizes(int ranks, const std::vector<int>& joint) {
  SummationTree tree(ranks, Shape::other);
  std::vector<int> members(static_cast<std::size_t>(ranks));
  std::iota(members.begin(), members.end(), 0);
  if (!tree.add_subtree(members, joint)) return std::nullopt;
  for (SummationTree known : {pairs(ranks), chain(ranks)}) {
    if (tree == known) return known;
  }
  tree.assign_places();
  return tree;
}

/// The operand that the subtree of `members` is; nothing if they do not make one.
std::optional<int> SummationTree::add_subtree(const std::vector<int>& members, const std::vector<int>& joint) {
  if (members.size() == 1) return members.front();
  const auto joint_of = [&](int a, int b) { return joint[static_cast<std::size_t>(a * ranks_ + b)]; };
  const int all = static_cast<int>(members.size());
  // with the first member are those that it has met in a smaller subtree than this one
  std::vector<int> left;
  std::vector<int> right;
  for (const int member : members) {
    const bool near = member == members.front() || joint_of(members.front(), member) < all;
    (near ? left : right).push_back(member);
  }
  if (right.empty()) return std::nullopt;
  for (const int a : left) {
    for (const int b : right) {
      if (joint_of(a, b) != all || joint_of(b, a) != all) return std::nullopt;
    }
  }
  const std::optional<int> first = add_subtree(left, joint);
  const std::optional<int> second = first ? add_subtree(right, joint) : std::nullopt;
  if (!second) return std::nullopt;
  additions_.push_back({.left = *first, .right = *second, .place = 0});
  return ranks_ + static_cast<int>(additions_.size()) - 1;
}

/// A result takes the place of an operand that is a result itself, which nobody needs any more, else a free one.
void SummationTree::assign_places() {
  std::vector<int> free;
  for (Addition& addition : additions_) {
    std::vector<int> given;
    for (const int operand : {addition.left, addition.right}) {
      if (operand >= ranks_) given.push_back(additions_[static_cast<std::size_t>(operand - ranks_)].place);
    }
    if (given.empty() && free.empty()) {
      addition.place = places_++;
      continue;
    }
    std::vector<int>& source = given.empty() ? free : given;
    addition.place = source.back();
    source.pop_back();
    free.insert(free.end(), given.begin(), given.end());
  }
}

bool SummationTree::operator==(const SummationTree& other) const {
  return ranks_ == other.ranks_ &&
         std::equal(additions_.begin(), additions_.end(), other.additions_.begin(), other.additions_.end(),
                    [](const Addition& a, const Addition& b) { return a.left == b.left && a.right == b.right; });
}

}  // namespace airamp::pmpi
