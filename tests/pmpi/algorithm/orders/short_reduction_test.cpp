// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/short_reduction.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "tests/pmpi/algorithm/orders/strided_case.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::size_t stride = 128;

/// Contributions of small whole numbers, so that no type overflows into what is not a number.
std::vector<std::byte> contributions_of(int ranks, DataType type, std::mt19937& random) {
  std::vector<std::byte> cells(static_cast<std::size_t>(ranks) * stride);
  for (std::byte& byte : cells) byte = static_cast<std::byte>(random() % 3);
  const DataType part = part_of(type);
  if (part != DataType::float32 && part != DataType::float64) return cells;
  std::uniform_real_distribution<double> number(-1e6, 1e6);
  for (std::size_t at = 0; at < cells.size(); at += size_of(part)) {
    const double wide = number(random);
    const auto narrow = static_cast<float>(wide);
    if (part == DataType::float64) {
      std::memcpy(&cells[at], &wide, sizeof(wide));
    } else {
      std::memcpy(&cells[at], &narrow, sizeof(narrow));
    }
  }
  return cells;
}

class ShortReductionOf : public ::testing::TestWithParam<DataType> {};

TEST_P(ShortReductionOf, HasTheBitsOfTheLongOne) {
  std::mt19937 random(7);
  const DataType type = GetParam();
  bool any = false;
  for (int number = 0; number < reduce_op_count; ++number) {
    const auto op = static_cast<ReduceOp>(number);
    const ShortReduction reduce = short_reduction(type, op);
    ASSERT_EQ(reduce != nullptr, reduces_by_tree(type, op));
    if (reduce == nullptr) continue;
    any = true;
    std::vector<std::size_t> lengths;
    for (std::size_t elements = 1; elements * size_of(type) <= max_short_bytes; ++elements) lengths.push_back(elements);
    for (const int ranks : {1, 2, 3, 7, 16, 32})
      expect_bits_of_the_one_by_tree(reduce, type, op, ranks, contributions_of(ranks, type, random), stride, lengths);
  }
  EXPECT_TRUE(any);
}

INSTANTIATE_TEST_SUITE_P(Types, ShortReductionOf,
                         ::testing::Values(DataType::int8, DataType::uint16, DataType::int32, DataType::uint64,
                                           DataType::float32, DataType::float64, DataType::float64_int32,
                                           DataType::int16_int32, DataType::int32_int32, DataType::complex64,
                                           DataType::complex128));

TEST(ShortReduction, WritesNoMoreThanItsElements) {
  const SummationTree tree = SummationTree::pairs(4);
  std::vector<std::byte> cells(4 * stride, std::byte{1});
  std::vector<std::byte> result(16, std::byte{0xa5});
  short_reduction(DataType::int32, ReduceOp::sum)(tree, cells.data(), stride, 2, result.data());
  EXPECT_EQ(result, (std::vector<std::byte>{std::byte{4}, std::byte{4}, std::byte{4}, std::byte{4}, std::byte{4},
                                            std::byte{4}, std::byte{4}, std::byte{4}, std::byte{0xa5}, std::byte{0xa5},
                                            std::byte{0xa5}, std::byte{0xa5}, std::byte{0xa5}, std::byte{0xa5},
                                            std::byte{0xa5}, std::byte{0xa5}}));
}

}  // namespace
}  // namespace airamp::pmpi
