// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "codec/lossless_reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "codec/element_conversion.hpp"

namespace airamp::codec {
namespace {

/// The reduction of vectors one byte behind an aligned address.
template <class T>
std::vector<T> reduced(DataType type, ReduceOp op, const std::vector<std::vector<T>>& vectors) {
  const std::size_t bytes = vectors.front().size() * sizeof(T);
  std::vector<std::vector<std::byte>> storage;
  std::vector<const std::byte*> pointers;
  for (const std::vector<T>& vector : vectors) {
    storage.emplace_back(bytes + 1);
    std::memcpy(storage.back().data() + 1, vector.data(), bytes);
  }
  for (const auto& vector : storage) pointers.push_back(vector.data() + 1);
  std::vector<T> result(vectors.front().size());
  // into the last of them
  reduce_lossless(type, op, pointers.data(), pointers.size(), result.size(), storage.back().data() + 1);
  std::memcpy(result.data(), storage.back().data() + 1, bytes);
  return result;
}

template <class T>
class OfNumbers : public testing::Test {};
using Numbers = testing::Types<float, double, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(OfNumbers, Numbers);

template <class T>
constexpr DataType type_of() {
  if constexpr (std::is_same_v<T, float>) return DataType::float32;
  if constexpr (std::is_same_v<T, double>) return DataType::float64;
  if constexpr (std::is_same_v<T, std::int32_t>) return DataType::int32;
  if constexpr (std::is_same_v<T, std::uint32_t>) return DataType::uint32;
  if constexpr (std::is_same_v<T, std::int64_t>) return DataType::int64;
  return DataType::uint64;
}

TYPED_TEST(OfNumbers, ReducesElementByElement) {
  constexpr DataType type = type_of<TypeParam>();
  for (const std::size_t elements : {1, 511, 512, 513, 2000}) {
    std::vector<std::vector<TypeParam>> vectors(3, std::vector<TypeParam>(elements));
    for (std::size_t i = 0; i < elements; ++i) {
      vectors[0][i] = static_cast<TypeParam>(i % 7 + 1);
      vectors[1][i] = static_cast<TypeParam>(i % 5 + 1);
      vectors[2][i] = static_cast<TypeParam>(i % 3 + 1);
    }
    const auto sum = reduced(type, ReduceOp::sum, vectors);
    const auto product = reduced(type, ReduceOp::prod, vectors);
    const auto largest = reduced(type, ReduceOp::max, vectors);
    const auto smallest = reduced(type, ReduceOp::min, vectors);
    for (std::size_t i = 0; i < elements; ++i) {
      const std::size_t a = i % 7 + 1;
      const std::size_t b = i % 5 + 1;
      const std::size_t c = i % 3 + 1;
      ASSERT_EQ(sum[i], static_cast<TypeParam>(a + b + c));
      ASSERT_EQ(product[i], static_cast<TypeParam>(a * b * c));
      ASSERT_EQ(largest[i], static_cast<TypeParam>(std::max({a, b, c})));
      ASSERT_EQ(smallest[i], static_cast<TypeParam>(std::min({a, b, c})));
    }
  }
}

TEST(ReduceLossless, IntegersWrapAndKeepTheirSign) {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(reduced<std::int32_t>(DataType::int32, ReduceOp::sum, {{most}, {1}})[0], -most - 1);
  EXPECT_EQ(reduced<std::int32_t>(DataType::int32, ReduceOp::max, {{-1}, {1}})[0], 1);
  EXPECT_EQ(reduced<std::uint32_t>(DataType::uint32, ReduceOp::max, {{~0U}, {1}})[0], ~0U);
  EXPECT_EQ(reduced<std::int64_t>(DataType::int64, ReduceOp::min, {{-1}, {1}})[0], -1);
}

TEST(ReduceLossless, NanWinsOverEveryNumber) {
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::prod, ReduceOp::max, ReduceOp::min}) {
    EXPECT_TRUE(std::isnan(reduced<float>(DataType::float32, op, {{NAN}, {1}})[0]));
    EXPECT_TRUE(std::isnan(reduced<double>(DataType::float64, op, {{1}, {NAN}, {2}})[0]));
  }
}

// The order matters: (2^24 + 1) + 1 loses both ones, (1 + 1) + 2^24 none.
TEST(ReduceLossless, AddsInOrder) {
  EXPECT_EQ(reduced<float>(DataType::float32, ReduceOp::sum, {{0x1p24F}, {1}, {1}})[0], 0x1p24F);
  EXPECT_EQ(reduced<float>(DataType::float32, ReduceOp::sum, {{1}, {1}, {0x1p24F}})[0], 0x1p24F + 2);
}

TEST(ReduceLossless, HalvesAreRoundedOnce) {
  // 2048 + 1 is no half, 2048 + 1 + 1 is
  EXPECT_EQ(reduced<std::uint16_t>(DataType::float16, ReduceOp::sum, {{0x6800}, {0x3c00}, {0x3c00}})[0], 0x6801);
  // 256 + 1 is no bfloat16, 256 + 1 + 1 is
  EXPECT_EQ(reduced<std::uint16_t>(DataType::bfloat16, ReduceOp::sum, {{0x4380}, {0x3f80}, {0x3f80}})[0], 0x4381);
}

TEST(ReduceLossless, EveryHalfSurvivesAlone) {
  for (const DataType type : {DataType::float16, DataType::bfloat16}) {
    std::vector<std::uint16_t> every(65536);
    for (std::size_t i = 0; i < every.size(); ++i) every[i] = static_cast<std::uint16_t>(i);
    const auto result = reduced<std::uint16_t>(type, ReduceOp::sum, {every});
    const unsigned infinity = type == DataType::float16 ? 0x7c00 : 0x7f80;
    for (unsigned i = 0; i < every.size(); ++i) {
      if ((i & 0x7fffU) > infinity) {
        ASSERT_GT(result[i] & 0x7fffU, infinity);  // a NaN
      } else {
        ASSERT_EQ(result[i], i);
      }
    }
  }
}

// Against the codecs' conversion, which is written another way.
TEST(ReduceLossless, RoundsSumsOfHalvesToNearestEven) {
  std::vector<std::vector<std::uint16_t>> vectors(2, std::vector<std::uint16_t>(1U << 20U));
  std::uint64_t state = 1;
  for (std::size_t i = 0; i < vectors[0].size(); ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    vectors[0][i] = static_cast<std::uint16_t>(state >> 32U);
    vectors[1][i] = static_cast<std::uint16_t>(state >> 48U);
  }
  const auto result = reduced<std::uint16_t>(DataType::float16, ReduceOp::sum, vectors);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float sum = float_from_float16(vectors[0][i]) + float_from_float16(vectors[1][i]);
    const std::uint16_t expected = float16_from_float(sum);
    if (std::isnan(sum)) {
      ASSERT_GT(result[i] & 0x7fffU, 0x7c00U);
    } else {
      ASSERT_EQ(result[i], expected) << i;
    }
  }
}

}  // namespace
}  // namespace airamp::codec
