// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/types/alike_values.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <limits>
#include <vector>

namespace airamp::pmpi {
namespace {

template <class T>
bool alike(DataType type, const std::vector<T>& values) {
  return are_alike(type, values.data(), values.size() * sizeof(T) / size_of(type));
}

template <class Real>
void expect_of_reals(DataType type) {
  using Limits = std::numeric_limits<Real>;
  EXPECT_TRUE(alike<Real>(type, {}));
  EXPECT_TRUE(alike<Real>(type, {0, 1, -1, Limits::max(), Limits::lowest(), Limits::min(), -Limits::min()}));
  EXPECT_TRUE(alike<Real>(type, {Limits::infinity(), -Limits::infinity()}));
  for (const Real other : {-Real{0}, Limits::denorm_min(), -Limits::denorm_min(), Limits::quiet_NaN(),
                           -Limits::quiet_NaN(), Limits::signaling_NaN()}) {
    EXPECT_FALSE(alike<Real>(type, {other}));
    EXPECT_FALSE(alike<Real>(type, {1, 2, other}));
  }
}

TEST(AlikeValues, OfFloatingPointNumbersAreNoNanNoMinusZeroAndNotSubnormal) {
  expect_of_reals<float>(DataType::float32);
  expect_of_reals<double>(DataType::float64);
}

TEST(AlikeValues, ArePairsWhoseFloatingPointNumbersAre) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(alike<float>(DataType::float32_float32, {1, 2, 3, 4}));
  EXPECT_FALSE(alike<float>(DataType::float32_float32, {1, 2, 3, nan}));
  EXPECT_FALSE(alike<double>(DataType::float64_float64, {-0.0, 1}));
  struct DoubleInt {
    double value;
    int index;
  };
  EXPECT_TRUE(alike<DoubleInt>(DataType::float64_int32, {{1, -1}, {0, 0}}));
  EXPECT_FALSE(alike<DoubleInt>(DataType::float64_int32, {{1, -1}, {-0.0, 0}}));
  struct FloatInt {
    float value;
    int index;
  };
  EXPECT_TRUE(alike<FloatInt>(DataType::float32_int32, {{1, std::numeric_limits<int>::min()}}));
  EXPECT_FALSE(alike<FloatInt>(DataType::float32_int32, {{nan, 1}}));
}

TEST(AlikeValues, OfUnsignedIntegersAreThoseThatSignedOnesHold) {
  EXPECT_TRUE(alike<std::uint8_t>(DataType::uint8, {0, 0x7f}));
  EXPECT_FALSE(alike<std::uint8_t>(DataType::uint8, {0, 0x80}));
  EXPECT_TRUE(alike<std::uint16_t>(DataType::uint16, {0x7fff}));
  EXPECT_FALSE(alike<std::uint16_t>(DataType::uint16, {0x8000}));
  EXPECT_TRUE(alike<std::uint32_t>(DataType::uint32, {0x7fffffff}));
  EXPECT_FALSE(alike<std::uint32_t>(DataType::uint32, {0xffffffff}));
  EXPECT_TRUE(alike<std::uint64_t>(DataType::uint64, {~0ULL >> 1U}));
  EXPECT_FALSE(alike<std::uint64_t>(DataType::uint64, {~0ULL}));
}

TEST(AlikeValues, OfBooleansAreZeroAndOne) {
  EXPECT_TRUE(alike<std::uint8_t>(DataType::boolean8, {0, 1}));
  EXPECT_FALSE(alike<std::uint8_t>(DataType::boolean8, {0, 1, 2}));
  EXPECT_TRUE(alike<std::int32_t>(DataType::boolean32, {1, 0}));
  EXPECT_FALSE(alike<std::int32_t>(DataType::boolean32, {-1}));
}

TEST(AlikeValues, AreAskedForWhereLibrariesDiffer) {
  EXPECT_TRUE(depends_on_values(DataType::float64, ReduceOp::max));
  EXPECT_FALSE(depends_on_values(DataType::float64, ReduceOp::sum));
  EXPECT_TRUE(depends_on_values(DataType::uint32, ReduceOp::min));
  EXPECT_FALSE(depends_on_values(DataType::uint32, ReduceOp::bor));
  EXPECT_FALSE(depends_on_values(DataType::int32, ReduceOp::max));
  EXPECT_TRUE(depends_on_values(DataType::boolean8, ReduceOp::lor));
  EXPECT_TRUE(depends_on_values(DataType::float64_int32, ReduceOp::maxloc));
  EXPECT_FALSE(depends_on_values(DataType::int64_int32, ReduceOp::maxloc));
}

TEST(AlikeValues, AreLookedAtWithoutAFloatingPointException) {
  std::feclearexcept(FE_ALL_EXCEPT);
  alike<double>(DataType::float64, {std::numeric_limits<double>::signaling_NaN(), 1});
  EXPECT_EQ(std::fetestexcept(FE_ALL_EXCEPT), 0);
}

}  // namespace
}  // namespace airamp::pmpi
