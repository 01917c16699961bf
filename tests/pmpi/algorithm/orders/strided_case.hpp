// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Reductions of contributions that lie at equal distances, beside reduce_by_tree.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pmpi/algorithm/orders/short_reduction.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {

/// (0 (1 (2 3))) of four ranks, which is neither a chain nor pairs.
inline SummationTree backwards(int ranks) {
  std::vector<int> joint;
  for (int a = 0; a < ranks; ++a) {
    for (int b = 0; b < ranks; ++b) joint.push_back(a == b ? 1 : ranks - std::min(a, b));
  }
  return SummationTree::from_joint_sizes(ranks, joint).value();
}

/// `reduce` has the bits of reduce_by_tree, of each of `lengths` and in orders of each shape, and writes nothing else.
/// `cells`: each rank's contribution, `stride` bytes from one to the next.
inline void expect_bits_of_the_one_by_tree(ShortReduction reduce, DataType type, ReduceOp op, int ranks,
                                           const std::vector<std::byte>& cells, std::size_t stride,
                                           const std::vector<std::size_t>& lengths) {
  for (const SummationTree& tree : {SummationTree::chain(ranks), SummationTree::pairs(ranks), backwards(ranks)}) {
    ASSERT_LE(tree.places(), max_short_places);
    for (const std::size_t elements : lengths) {
      std::vector<const std::byte*> pointers;
      for (int rank = 0; rank < ranks; ++rank) pointers.push_back(&cells[static_cast<std::size_t>(rank) * stride]);
      // of no alignment, with the same in the gaps of pairs
      std::vector<std::byte> expected(elements * size_of(type) + 2, std::byte{0xa5});
      std::vector<std::byte> result(expected);
      std::vector<std::byte> scratch(scratch_bytes(tree));
      reduce_by_tree(tree, type, op, pointers.data(), elements, scratch.data(), expected.data() + 1);
      reduce(tree, cells.data(), stride, elements, result.data() + 1);
      ASSERT_EQ(result, expected) << static_cast<int>(op) << ' ' << ranks << ' ' << elements;
    }
  }
}

}  // namespace airamp::pmpi
