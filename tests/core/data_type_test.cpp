// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "core/data_type.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <set>
#include <string_view>

namespace airamp {
namespace {

constexpr auto last = static_cast<int>(DataType::complex128);

TEST(DataType, EachHasAName) {
  std::set<std::string_view> names;
  for (int type = 0; type <= last; ++type) names.insert(to_string(static_cast<DataType>(type)));
  EXPECT_EQ(names.size(), static_cast<std::size_t>(last) + 1);
  EXPECT_FALSE(names.contains(""));
  EXPECT_EQ(to_string(DataType::float64_int32), "float64_int32");
  EXPECT_EQ(to_string(DataType::float64_float64), "float64_float64");
  EXPECT_EQ(to_string(DataType::complex128), "complex128");
}

struct ShortInt {
  short value;
  int index;
};
struct LongInt {
  long value;
  int index;
};
struct DoubleInt {
  double value;
  int index;
};

TEST(DataType, IsAsLongAsInC) {
  EXPECT_EQ(size_of(DataType::boolean8), sizeof(bool));
  EXPECT_EQ(size_of(DataType::uint16), 2U);
  EXPECT_EQ(size_of(DataType::float16), 2U);
  EXPECT_EQ(size_of(DataType::int16_int32), sizeof(ShortInt));
  EXPECT_EQ(size_of(DataType::int64_int32), sizeof(LongInt));
  EXPECT_EQ(size_of(DataType::float64_int32), sizeof(DoubleInt));
  EXPECT_EQ(size_of(DataType::float32_int32), 8U);
  EXPECT_EQ(size_of(DataType::float64_float64), 16U);
  EXPECT_EQ(size_of(DataType::complex64), sizeof(std::complex<float>));
  EXPECT_EQ(size_of(DataType::complex128), sizeof(std::complex<double>));
}

TEST(DataType, ComplexNumbersAloneHaveParts) {
  for (int type = 0; type <= last; ++type) {
    const auto one = static_cast<DataType>(type);
    EXPECT_EQ(parts_of(one), one == DataType::complex64 || one == DataType::complex128 ? 2U : 1U) << to_string(one);
    EXPECT_EQ(parts_of(one) * size_of(part_of(one)), size_of(one)) << to_string(one);
  }
  EXPECT_EQ(part_of(DataType::complex64), DataType::float32);
  EXPECT_EQ(part_of(DataType::complex128), DataType::float64);
}

TEST(DataType, OfTwoWidthsHasAGap) {
  for (int type = 0; type <= last; ++type) {
    const auto one = static_cast<DataType>(type);
    EXPECT_EQ(has_gap(one),
              one == DataType::int16_int32 || one == DataType::int64_int32 || one == DataType::float64_int32)
        << to_string(one);
  }
}

TEST(DataType, GpusCarryTheFirstNine) {
  for (int type = 0; type <= last; ++type) EXPECT_EQ(is_for_gpus(static_cast<DataType>(type)), type < 9);
}

}  // namespace
}  // namespace airamp
