// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of float16, float32 and float64 numbers on their way.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/gpu/device/rows/row_streams.hpp"
#include "tests/gpu/device/rows/travelling_rows.hpp"

namespace airamp::gpu::device {
namespace {

/// The type's bits as an integer.
template <class Element>
using Bits = std::conditional_t<std::is_same_v<Element, Float64>, std::uint64_t,
                                std::conditional_t<std::is_same_v<Element, Float32>, std::uint32_t, std::uint16_t>>;
template <class Element>
constexpr int bits = 8 * sizeof(Bits<Element>);
template <class Element>
using Numbers = std::array<Bits<Element>, sizeof(Row) / sizeof(Bits<Element>)>;

/// What becomes of a number before it travels: a NaN whose first 16 bits are ones has the other sign. Of float16, in
/// the upper half of a word alone.
template <class Element>
Bits<Element> without_mark(Bits<Element> number, std::size_t index) {
  const bool has_mark = number >> (bits<Element> - 16) == 0xffff && (bits<Element> > 16 || index % 2 != 0);
  return has_mark ? number ^ static_cast<Bits<Element>>(Bits<Element>{1} << (bits<Element> - 1)) : number;
}

template <class Element>
TravellingRow short_row(const Numbers<Element>& numbers) {
  TravellingRow row(std::bit_cast<Row>(numbers), 4, false);
  Numbers<Element> expected;
  Bits<Element> all = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) all |= expected[i] = without_mark<Element>(numbers[i], i);
  const bool has_lower_half = (all << (bits<Element> / 2) & static_cast<Bits<Element>>(~Bits<Element>{0})) != 0;
  row.expected = std::bit_cast<Row>(expected);
  row.words = all == 0 ? 4 : bits<Element> == 16 || has_lower_half ? 128 : 4 * 17;
  return row;
}

template <class Element>
struct ShortRows : testing::Test {
  std::mt19937_64 random;

  using Row = Numbers<Element>;

  Row any_bits() {
    Row row;
    for (auto& number : row) number = static_cast<Bits<Element>>(random());
    return row;
  }
  /// Without the lowest bits.
  Row short_by(int low_bits) {
    Row row = any_bits();
    for (auto& number : row) number = static_cast<Bits<Element>>(number >> low_bits << low_bits);
    return row;
  }
  std::size_t some() { return random() % std::tuple_size_v<Row>; }

  static testing::AssertionResult comes_back(const Row& row) { return travels<Element>(short_row<Element>(row)); }
};
using Elements = testing::Types<Float16, Float32, Float64>;
TYPED_TEST_SUITE(ShortRows, Elements);

TYPED_TEST(ShortRows, OfZerosAreAVector) {
  typename TestFixture::Row row = {};
  ASSERT_EQ(short_row<TypeParam>(row).words, 4);
  EXPECT_TRUE(this->comes_back(row));
  for (int bit = 0; bit < bits<TypeParam>; ++bit) {
    row = {};
    row[this->some()] = static_cast<Bits<TypeParam>>(Bits<TypeParam>{1} << bit);
    const int words = bits<TypeParam> > 16 && bit >= bits<TypeParam> / 2 ? 68 : 128;
    ASSERT_EQ(short_row<TypeParam>(row).words, words);
    EXPECT_TRUE(this->comes_back(row)) << "but for bit " << bit;
  }
}

TYPED_TEST(ShortRows, NeedNoLowerHalvesOfZeros) {
  for (int low_bits = 0; low_bits < bits<TypeParam>; ++low_bits)
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(this->comes_back(this->short_by(low_bits))) << low_bits << " bits";
}

/// Words of ones, and what looks like marks, in any place; lane 0's first word among them.
TYPED_TEST(ShortRows, MayImitateMarksAndHoles) {
  for (const auto high : std::initializer_list<std::uint64_t>{0xffffu, 0xfff0u, 0x7fffu, 0x0000u}) {
    for (const auto low : std::initializer_list<std::uint64_t>{0x0000'0000'0000u, 0x0001'0000'0000u, 0x0011'0000'0000u,
                                                               0xffff'0000'0000u, 0x0000'0000'0001u, 0xffff'ffff'ffffu,
                                                               0x0000'ffff'ffffu, 0xffff'ffff'fffeu}) {
      const auto number = static_cast<Bits<TypeParam>>((high << 48 | low) >> (64 - bits<TypeParam>));
      for (const int low_bits : {0, bits<TypeParam> / 2}) {
        auto row = this->short_by(low_bits);
        row[0] = number;
        EXPECT_TRUE(this->comes_back(row)) << std::hex << number;
        row = this->short_by(low_bits);
        row[this->some()] = number;
        EXPECT_TRUE(this->comes_back(row)) << std::hex << number;
      }
      typename TestFixture::Row row;
      row.fill(number);
      EXPECT_TRUE(this->comes_back(row)) << std::hex << number;
    }
  }
}

/// One wave of two warps, or two waves of one, on either side.
TYPED_TEST(ShortRows, OfTwoWarpsDoNotMatterToEachOther) {
  const std::vector<Wave> in_step = {{0, 1}}, apart = {{0}, {1}}, crossed = {{1, 0}};
  const auto row_of = [this](int kind) {
    return short_row<TypeParam>(kind == 0   ? typename TestFixture::Row{}
                                : kind == 1 ? this->short_by(bits<TypeParam> / 2)
                                            : this->any_bits());
  };
  for (int first = 0; first < 3; ++first)
    for (int second = 0; second < 3; ++second)
      for (const auto& [writers, readers] :
           {std::pair{in_step, in_step}, std::pair{in_step, apart}, std::pair{apart, crossed}})
        ASSERT_TRUE(travel<TypeParam>(std::vector{row_of(first), row_of(second)}, writers, readers))
            << "kinds " << first << " and " << second;
}

}  // namespace
}  // namespace airamp::gpu::device
