// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/orders/strided_reduction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "tests/pmpi/algorithm/orders/strided_case.hpp"

namespace airamp::pmpi {
namespace {

constexpr std::size_t stride = 2176;

/// Of floating-point numbers of all magnitudes, so that each order has digits of its own.
std::vector<std::byte> contributions_of(int ranks, std::mt19937& random) {
  std::vector<std::byte> cells(static_cast<std::size_t>(ranks) * stride);
  std::uniform_real_distribution<double> number(-1e6, 1e6);
  for (std::size_t at = 0; at < cells.size(); at += sizeof(double)) {
    const double value = number(random);
    std::memcpy(&cells[at], &value, sizeof(value));
  }
  return cells;
}

class StridedReductionOf : public ::testing::TestWithParam<DataType> {};

TEST_P(StridedReductionOf, HasTheBitsOfTheOneByTree) {
  std::mt19937 random(7);
  const DataType type = GetParam();
  std::vector<std::size_t> lengths;
  for (const std::size_t bytes : {1, 105, 256, 264, 2047}) {
    lengths.push_back(std::max<std::size_t>(1, bytes / size_of(type)));
  }
  bool any = false;
  for (int number = 0; number < reduce_op_count; ++number) {
    const auto op = static_cast<ReduceOp>(number);
    const ShortReduction reduce = strided_reduction(type, op);
    ASSERT_EQ(reduce != nullptr, reduces_by_tree(type, op));
    if (reduce == nullptr) continue;
    any = true;
    for (const int ranks : {1, 2, 3, 7, 16, 32})
      expect_bits_of_the_one_by_tree(reduce, type, op, ranks, contributions_of(ranks, random), stride, lengths);
  }
  EXPECT_TRUE(any);
}

INSTANTIATE_TEST_SUITE_P(Types, StridedReductionOf,
                         ::testing::Values(DataType::int8, DataType::uint16, DataType::int32, DataType::uint64,
                                           DataType::float64, DataType::complex128));

TEST(StridedReduction, LeavesPairsToOthers) {
  EXPECT_EQ(strided_reduction(DataType::float64_int32, ReduceOp::maxloc), nullptr);
}

}  // namespace
}  // namespace airamp::pmpi
