// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/result_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "codec/element_conversion.hpp"

namespace airamp::pmpi {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

ResultError of(const std::vector<float>& native_result, const std::vector<float>& result) {
  ResultError error;
  error.add(DataType::float32, native_result.data(), result.data(), result.size());
  return error;
}

TEST(ResultError, IsTheRelativeEuclideanNorm) {
  const ResultError error = of({3, 4}, {3, 4.5});
  EXPECT_DOUBLE_EQ(error.relative(), 0.1);
  EXPECT_DOUBLE_EQ(error.maximum(), 0.5);
}

TEST(ResultError, ReadsDoubles) {
  const std::vector<double> native_result = {3, 4};
  const std::vector<double> result = {3, 4 + 0x1p-40};  // not to be seen in binary32
  ResultError error;
  error.add(DataType::float64, native_result.data(), result.data(), 2);
  EXPECT_EQ(error.maximum(), 0x1p-40);
  EXPECT_DOUBLE_EQ(error.relative(), 0x1p-40 / 5);
}

TEST(ResultError, IsOfFloatingPointNumbersAlone) {
  const int native_result = 1;
  const int result = 2;
  ResultError error;
  error.add(DataType::int32, &native_result, &result, 1);
  EXPECT_EQ(error.maximum(), 0);
}

TEST(ResultError, AddsUpOverParts) {
  ResultError error = of({3}, {3});
  const float native_part = 4;
  const float part = 3.5;
  error.add(DataType::float32, &native_part, &part, 1);
  EXPECT_DOUBLE_EQ(error.relative(), 0.1);
}

TEST(ResultError, TakesSharedPoisonForAgreement) { EXPECT_EQ(of({NAN, infinity, 1}, {NAN, NAN, 1}).relative(), 0); }

TEST(ResultError, IsInfiniteWhereOnlyOneIsFinite) {
  EXPECT_EQ(of({1, NAN}, {1, 1}).relative(), infinity);
  EXPECT_EQ(of({1, 1}, {1, infinity}).relative(), infinity);
}

TEST(ResultError, HandlesZeroVectors) {
  EXPECT_EQ(of({0, 0}, {0, 0}).relative(), 0);
  EXPECT_EQ(of({0, 0}, {0, 1}).relative(), infinity);
  EXPECT_EQ(of({}, {}).relative(), 0);
}

TEST(ResultError, ReadsHalves) {
  const std::vector<std::uint16_t> native_half = {0x3c00, 0x4000};  // 1, 2
  const std::vector<std::uint16_t> half = {0x3c00, 0x4200};         // 1, 3
  ResultError error;
  error.add(DataType::float16, native_half.data(), half.data(), 2);
  EXPECT_DOUBLE_EQ(error.relative(), std::sqrt(1.0 / 5.0));
  const std::vector<std::uint16_t> native_brain = {0x3f80, 0x4000};  // 1, 2
  const std::vector<std::uint16_t> brain = {0x3f80, 0x4040};         // 1, 3
  ResultError brain_error;
  brain_error.add(DataType::bfloat16, native_brain.data(), brain.data(), 2);
  EXPECT_DOUBLE_EQ(brain_error.relative(), std::sqrt(1.0 / 5.0));
}

TEST(ResultError, WidensEveryHalfExactly) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float value = codec::float_from_float16(half);
    const std::uint16_t zero = 0;
    ResultError error;
    error.add(DataType::float16, &zero, &half, 1);
    EXPECT_EQ(error.maximum(), std::isfinite(value) ? std::fabs(value) : infinity) << std::hex << bits;
  }
}

TEST(ResultError, ComparesEveryElementOfALongVector) {
  for (std::size_t wrong : {std::size_t{0}, std::size_t{2047}, std::size_t{2048}, std::size_t{9999}}) {
    const std::vector<float> native_result(10000, 1.0F);
    std::vector<float> result = native_result;
    result[wrong] = 2.0F;
    EXPECT_EQ(of(native_result, result).maximum(), 1.0) << wrong;
    EXPECT_DOUBLE_EQ(of(native_result, result).relative(), 0.01) << wrong;
  }
}

}  // namespace
}  // namespace airamp::pmpi
