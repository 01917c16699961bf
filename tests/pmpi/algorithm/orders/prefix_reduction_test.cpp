// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/prefix_reduction.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {
namespace {

/// What each rank gets, of the same number of elements each: in place of the contributions, and the same beside them.
template <class T>
std::vector<T> prefixes(DataType type, ReduceOp op, bool inclusive, std::vector<T> contributions, int ranks) {
  const std::size_t elements = contributions.size() / static_cast<std::size_t>(ranks);
  std::vector<T> beside = contributions;
  const auto reduce_to = [&](std::vector<T>& results) {
    reduce_prefixes(type, op, inclusive,
                    {.contributions = reinterpret_cast<const std::byte*>(contributions.data()),
                     .results = reinterpret_cast<std::byte*>(results.data()),
                     .stride = elements * sizeof(T),
                     .ranks = ranks,
                     .elements = elements});
  };
  reduce_to(beside);
  reduce_to(contributions);
  EXPECT_EQ(beside, contributions);
  return contributions;
}

// 2^53 + 1 rounds to 2^53, and 1 + 1 + 2^53 does not.
TEST(PrefixReduction, AddsOneAfterTheOther) {
  EXPECT_EQ(prefixes<double>(DataType::float64, ReduceOp::sum, true, {0x1p53, 1, 1, 1, 1, 0x1p53}, 3),
            (std::vector<double>{0x1p53, 1, 0x1p53, 2, 0x1p53 + 0, 0x1p53 + 2}));
  EXPECT_EQ(prefixes<double>(DataType::float64, ReduceOp::sum, false, {0x1p53, 1, 1, 1, 1, 0x1p53}, 3),
            (std::vector<double>{0x1p53, 1, 0x1p53, 1, 0x1p53, 2}));
}

TEST(PrefixReduction, OfIntegersWraps) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  EXPECT_EQ(prefixes<std::int32_t>(DataType::int32, ReduceOp::sum, true, {most, 1, 1}, 3),
            (std::vector<std::int32_t>{most, least, least + 1}));
  EXPECT_EQ(prefixes<std::int32_t>(DataType::int32, ReduceOp::sum, false, {most, 1, 1}, 3),
            (std::vector<std::int32_t>{most, most, least}));
}

TEST(PrefixReduction, FindsWhereTheLargestFirstWas) {
  struct Pair {
    double value;
    std::int32_t index;
    bool operator==(const Pair& other) const { return value == other.value && index == other.index; }
  };
  EXPECT_EQ(prefixes<Pair>(DataType::float64_int32, ReduceOp::maxloc, true, {{1, 0}, {3, 1}, {3, 2}, {2, 3}}, 4),
            (std::vector<Pair>{{1, 0}, {3, 1}, {3, 1}, {3, 1}}));
}

// As reduce_by_tree with a chain of each rank's operands; across the ends of the blocks of an exclusive one.
TEST(PrefixReduction, OfEveryLengthAndNumberOfRanks) {
  for (const int ranks : {1, 2, 3, 7}) {
    for (const std::size_t elements : {0U, 1U, 255U, 256U, 257U, 700U}) {
      std::vector<double> given;
      for (std::size_t i = 0; i < elements * static_cast<std::size_t>(ranks); ++i)
        given.push_back((i % 3 == 0 ? 0x1p40 : 1.0) / static_cast<double>(1 + i % 11));
      for (const bool inclusive : {true, false}) {
        std::vector<double> expected = given;
        for (int rank = inclusive ? 0 : 1; rank < ranks; ++rank) {
          const SummationTree chain = SummationTree::chain(inclusive ? rank + 1 : rank);
          std::vector<const std::byte*> operands;
          for (int other = 0; other < chain.ranks(); ++other)
            operands.push_back(
                reinterpret_cast<const std::byte*>(given.data() + static_cast<std::size_t>(other) * elements));
          std::vector<std::byte> scratch(scratch_bytes(chain));
          reduce_by_tree(chain, DataType::float64, ReduceOp::sum, operands.data(), elements, scratch.data(),
                         reinterpret_cast<std::byte*>(expected.data() + static_cast<std::size_t>(rank) * elements));
        }
        EXPECT_EQ(prefixes(DataType::float64, ReduceOp::sum, inclusive, given, ranks), expected);
      }
    }
  }
}

}  // namespace
}  // namespace airamp::pmpi
