// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/tree_reduction.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace airamp::pmpi {
namespace {

SummationTree pairs_of_four() {
  return *SummationTree::from_joint_sizes(4, {1, 2, 4, 4, 2, 1, 4, 4, 4, 4, 1, 2, 4, 4, 2, 1});
}

template <class T>
std::vector<T> reduce(const SummationTree& tree, DataType type, ReduceOp op,
                      const std::vector<std::vector<T>>& contributions) {
  std::vector<const std::byte*> pointers;
  for (const std::vector<T>& one : contributions) pointers.push_back(reinterpret_cast<const std::byte*>(one.data()));
  std::vector<T> result(contributions.front().size());
  std::vector<std::byte> scratch(scratch_bytes(tree));
  reduce_by_tree(tree, type, op, pointers.data(), result.size(), scratch.data(),
                 reinterpret_cast<std::byte*>(result.data()));
  return result;
}

// 2^53 + 1 rounds to 2^53: added one at a time, ones are lost, and in pairs they are not.
TEST(TreeReduction, AddsInTheOrderOfTheTree) {
  const std::vector<std::vector<double>> contributions = {{0x1p53}, {1}, {1}, {1}};
  EXPECT_EQ(reduce(SummationTree::chain(4), DataType::float64, ReduceOp::sum, contributions),
            std::vector<double>{0x1p53});
  EXPECT_EQ(reduce(pairs_of_four(), DataType::float64, ReduceOp::sum, contributions), std::vector<double>{0x1p53 + 2});
}

// Each part by itself.
TEST(TreeReduction, AddsComplexNumbersInTheOrderOfTheTree) {
  using Number = std::complex<double>;
  const std::vector<std::vector<Number>> contributions = {
      {{0x1p53, 1}, {1, 2}}, {{1, 0x1p53}, {3, 4}}, {{1, 1}, {5, 6}}, {{1, 1}, {7, 8}}};
  EXPECT_EQ(reduce(SummationTree::chain(4), DataType::complex128, ReduceOp::sum, contributions),
            (std::vector<Number>{{0x1p53, 0x1p53}, {16, 20}}));
  EXPECT_EQ(reduce(pairs_of_four(), DataType::complex128, ReduceOp::sum, contributions),
            (std::vector<Number>{{0x1p53 + 2, 0x1p53 + 2}, {16, 20}}));
  EXPECT_EQ(
      reduce<std::complex<float>>(SummationTree::chain(2), DataType::complex64, ReduceOp::sum, {{{1, 2}}, {{3, 5}}}),
      (std::vector<std::complex<float>>{{4, 7}}));
}

TEST(TreeReduction, OfEveryLength) {
  for (const std::size_t elements : {1U, 255U, 256U, 257U, 511U, 512U, 513U, 5000U}) {
    std::vector<std::vector<float>> contributions;
    std::vector<float> expected(elements);
    for (std::size_t rank = 0; rank < 4; ++rank) {
      contributions.emplace_back(elements);
      for (std::size_t i = 0; i < elements; ++i) {
        contributions[rank][i] = static_cast<float>(rank * 1000 + i);
        expected[i] += static_cast<float>(rank * 1000 + i);  // whole numbers that binary32 holds
      }
    }
    EXPECT_EQ(reduce(pairs_of_four(), DataType::float32, ReduceOp::sum, contributions), expected) << elements;
  }
}

TEST(TreeReduction, OfIntegersWraps) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  const SummationTree tree = SummationTree::chain(3);
  EXPECT_EQ(reduce<std::int32_t>(tree, DataType::int32, ReduceOp::sum, {{most}, {1}, {5}}),
            std::vector<std::int32_t>{std::numeric_limits<std::int32_t>::min() + 5});
  EXPECT_EQ(reduce<std::uint64_t>(tree, DataType::uint64, ReduceOp::prod, {{1ULL << 63U}, {3}, {1}}),
            std::vector<std::uint64_t>{1ULL << 63U});
  EXPECT_EQ(reduce<std::int32_t>(tree, DataType::int32, ReduceOp::max, {{-7}, {-3}, {-5}}),
            std::vector<std::int32_t>{-3});
  EXPECT_EQ(reduce<std::int64_t>(tree, DataType::int64, ReduceOp::min, {{5}, {-3}, {1}}),
            std::vector<std::int64_t>{-3});
}

TEST(TreeReduction, OfOneRankIsItsContribution) {
  EXPECT_EQ(reduce<double>(SummationTree::chain(1), DataType::float64, ReduceOp::prod, {{-0.0, 3}}),
            (std::vector<double>{-0.0, 3}));
}

TEST(TreeReduction, ResultsMayLieAnywhere) {
  const std::vector<double> one = {1, 2, 3};
  std::vector<std::byte> memory(3 * sizeof(double) + 1);
  const auto* contribution = reinterpret_cast<const std::byte*>(one.data());
  const std::byte* contributions[] = {contribution, contribution};
  std::vector<std::byte> scratch(scratch_bytes(SummationTree::chain(2)));
  reduce_by_tree(SummationTree::chain(2), DataType::float64, ReduceOp::sum, contributions, 3, scratch.data(),
                 memory.data() + 1);
  std::vector<double> result(3);
  std::memcpy(result.data(), memory.data() + 1, 3 * sizeof(double));
  EXPECT_EQ(result, (std::vector<double>{2, 4, 6}));
}

TEST(TreeReduction, OfLogicalAndBitwiseOperations) {
  const SummationTree tree = SummationTree::chain(3);
  const auto of = [&](ReduceOp op) {
    return reduce<std::uint16_t>(tree, DataType::uint16, op, {{0, 5, 0xf0}, {0, 3, 0x0f}, {0, 0, 0x3c}});
  };
  EXPECT_EQ(of(ReduceOp::land), (std::vector<std::uint16_t>{0, 0, 1}));
  EXPECT_EQ(of(ReduceOp::lor), (std::vector<std::uint16_t>{0, 1, 1}));
  EXPECT_EQ(of(ReduceOp::lxor), (std::vector<std::uint16_t>{0, 0, 1}));
  EXPECT_EQ(of(ReduceOp::band), (std::vector<std::uint16_t>{0, 0, 0}));
  EXPECT_EQ(of(ReduceOp::bor), (std::vector<std::uint16_t>{0, 7, 0xff}));
  EXPECT_EQ(of(ReduceOp::bxor), (std::vector<std::uint16_t>{0, 6, 0xc3}));
}

struct DoubleInt {
  double value;
  int index;
};

// Of equal values the smallest index (MPI-4.1, 6.9.4).
TEST(TreeReduction, OfPairsKeepsTheSmallestIndexAndTheGap) {
  const SummationTree tree = SummationTree::chain(3);
  const std::vector<std::vector<DoubleInt>> given = {{{1, 7}, {2, 3}}, {{1, -4}, {9, 8}}, {{0.5, 1}, {9, 6}}};
  std::vector<const std::byte*> contributions;
  for (const auto& one : given) contributions.push_back(reinterpret_cast<const std::byte*>(one.data()));
  std::vector<std::byte> scratch(scratch_bytes(tree));
  for (const std::size_t offset : {0U, 8U}) {
    std::vector<std::byte> memory(offset + 2 * sizeof(DoubleInt), std::byte{0xa5});
    reduce_by_tree(tree, DataType::float64_int32, ReduceOp::maxloc, contributions.data(), 2, scratch.data(),
                   memory.data() + offset);
    std::vector<std::byte> expected(memory.size(), std::byte{0xa5});
    const DoubleInt results[] = {{1, -4}, {9, 6}};
    for (std::size_t i = 0; i < 2; ++i) {
      std::byte* const at = expected.data() + offset + i * sizeof(DoubleInt);
      std::memcpy(at, &results[i].value, sizeof(double));
      std::memcpy(at + offsetof(DoubleInt, index), &results[i].index, sizeof(int));
    }
    EXPECT_EQ(memory, expected);
  }
}

TEST(TreeReduction, KnowsNumbersByTheirOperations) {
  EXPECT_TRUE(reduces_by_tree(DataType::float64, ReduceOp::prod));
  EXPECT_TRUE(reduces_by_tree(DataType::float32, ReduceOp::min));
  EXPECT_FALSE(reduces_by_tree(DataType::float32, ReduceOp::band));
  EXPECT_TRUE(reduces_by_tree(DataType::uint8, ReduceOp::lxor));
  EXPECT_TRUE(reduces_by_tree(DataType::byte, ReduceOp::bor));
  EXPECT_TRUE(reduces_by_tree(DataType::int32_int32, ReduceOp::minloc));
  EXPECT_FALSE(reduces_by_tree(DataType::int32_int32, ReduceOp::min));
  EXPECT_FALSE(reduces_by_tree(DataType::float16, ReduceOp::sum));
  EXPECT_FALSE(reduces_by_tree(DataType::uint8, ReduceOp::sum));
  EXPECT_FALSE(reduces_by_tree(DataType::int16, ReduceOp::prod));
  EXPECT_TRUE(reduces_by_tree(DataType::int16, ReduceOp::max));
  EXPECT_TRUE(reduces_by_tree(DataType::complex64, ReduceOp::sum));
  EXPECT_FALSE(reduces_by_tree(DataType::complex128, ReduceOp::prod));
  EXPECT_FALSE(reduces_by_tree(DataType::complex128, ReduceOp::max));
}

}  // namespace
}  // namespace airamp::pmpi
