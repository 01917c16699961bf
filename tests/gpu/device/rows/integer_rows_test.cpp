// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/gpu/device/rows/row_streams.hpp"
#include "tests/gpu/device/rows/travelling_rows.hpp"

namespace airamp::gpu::device {
namespace {

constexpr std::uint32_t first_bit = 1u << 31;

template <class Integer>
using Values = std::array<Integer, sizeof(Row) / sizeof(Integer)>;

class Random {
 public:
  int below(int bound) { return static_cast<int>(generator_() % static_cast<unsigned>(bound)); }

  Row row() {
    Row result;
    for (auto& word : result) word = static_cast<std::uint32_t>(generator_());
    return result;
  }

  /// Integers of so many bits at most, their sign's included.
  template <class Integer>
  Values<Integer> values(int bits) {
    auto result = std::bit_cast<Values<Integer>>(row());
    for (auto& value : result) value >>= 8 * sizeof(Integer) - bits;
    return result;
  }

  /// Any row whose lanes' first words have these first bits on the wire.
  Row row_with(std::uint32_t first_bits) {
    Row result = row();
    for (std::size_t l = 0; l < 32; ++l) {
      const std::uint32_t bit = (first_bits >> l & 1u) << 31;
      result[4 * l] = (result[4 * l] & ~first_bit) | (bit ^ (turned_bits & first_bit));
    }
    return result;
  }

  /// Makes up to 40 words look like holes or escapes on the wire. First words stay as they are.
  Row with_escapes(Row row) {
    for (int n = 1 + below(40); n > 0; --n)
      row[4 * std::size_t(below(32)) + 1 + below(3)] = below(2) != 0 ? hole_on_wire : escape_on_wire;
    return row;
  }

 private:
  std::mt19937_64 generator_;
};

template <class Integer>
struct IntegerRows : testing::Test {
  Random random;
};
using Integers = testing::Types<std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(IntegerRows, Integers);

template <class Integer>
struct AnyBitsRows : testing::Test {
  Random random;
};
using IntegersAndBytes = testing::Types<std::uint8_t, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(AnyBitsRows, IntegersAndBytes);

TEST(PlaneSignatures, DifferFromEachOtherAndFromRowsThatAreCommon) {
  for (int planes = 1; planes < 4; ++planes) {
    const std::uint32_t signature = plane_signature(planes);
    EXPECT_EQ(signature & 1u, 0u) << "is lane 0's first word an escape?";
    for (int other = 1; other < planes; ++other) EXPECT_NE(signature, plane_signature(other));
    for (int period = 1; period < 32; ++period)
      EXPECT_NE(signature, std::rotl(signature, period)) << "rows whose values' signs repeat themselves";
    EXPECT_GT(std::popcount(signature ^ signature >> 1), 8) << "rows whose values' signs seldom change";
  }
}

TYPED_TEST(IntegerRows, TakeThePlanesThatTheirValuesNeed) {
  for (int bits = 1; bits <= int{8 * sizeof(TypeParam)}; ++bits) {
    const auto largest = static_cast<TypeParam>((std::uint64_t{1} << (bits - 1)) - 1);
    for (const TypeParam value : {largest, static_cast<TypeParam>(~largest)}) {
      for (int element = 0; element < int{16 / sizeof(TypeParam)}; ++element) {
        auto values = this->random.template values<TypeParam>(bits);
        values[this->random.below(32) * (16 / sizeof(TypeParam)) + element] = value;
        const Row row = std::bit_cast<Row>(values);
        const int quarter = 2 * sizeof(TypeParam);
        const int planes = bits < quarter ? 1 : bits < 2 * quarter ? 2 : bits < 3 * quarter ? 3 : 4;
        ASSERT_TRUE(travels<TypeParam>({row, planes, false})) << bits << " bits, element " << element;
      }
    }
  }
}

TYPED_TEST(IntegerRows, OneValueDecidesForAll) {
  for (int bits = 1; bits <= int{8 * sizeof(TypeParam)}; ++bits) {
    const std::uint64_t beyond_largest = std::uint64_t{1} << (bits - 1);
    for (const std::uint64_t value : {beyond_largest - 1, beyond_largest, ~beyond_largest, ~beyond_largest + 1}) {
      Values<TypeParam> values = {};
      values[this->random.below(values.size())] = static_cast<TypeParam>(value);
      ASSERT_TRUE(travels<TypeParam>(std::bit_cast<Row>(values))) << bits << " bits";
    }
  }
}

/// A row of which word k of a lane looks like a hole where it is packed into so many planes.
template <class Integer>
Row row_with_packed_hole(int planes, int lane, int k) {
  Vector narrow = {};
  narrow.word[k] = k == 0 ? hole_on_wire & ~first_bit : hole_on_wire;  // that bit is the signature's
  const Vector v = unpacked<sizeof(Integer)>(narrow, planes);
  Row row = {};
  std::copy_n(v.word, 4, row.begin() + std::ptrdiff_t{4} * lane);
  return row;
}

TYPED_TEST(IntegerRows, TravelWholeWhereAPackedWordWouldLookLikeAHole) {
  for (int planes = 1; planes < 4; ++planes) {
    for (int lane = 0; lane < 32; ++lane) {
      for (int k = 0; k < planes; ++k) {
        if (planes == 2 && k == 1) continue;  // it begins with two equal bits, which a hole has not
        const Row row = row_with_packed_hole<TypeParam>(planes, lane, k);
        ASSERT_EQ(planes_needed_by<TypeParam>(row), planes);
        const bool whole = k > 0 || (plane_signature(planes) >> lane & 1u) != 0;
        ASSERT_TRUE(travels<TypeParam>({row, whole ? 4 : planes, whole && needs_record<TypeParam>(row)}))
            << "word " << k << " of " << planes << ", lane " << lane;
      }
    }
  }
}

TYPED_TEST(AnyBitsRows, MayLookLikeHolesAndEscapes) {
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(travels<TypeParam>(this->random.with_escapes(this->random.row())));
  for (int i = 0; i < 30; ++i) {
    Row row = this->random.row();
    row[this->random.below(row.size())] = i % 2 != 0 ? hole_on_wire : escape_on_wire;
    ASSERT_TRUE(travels<TypeParam>(row));
  }
  Row row;
  for (const std::uint32_t word : {hole_on_wire, escape_on_wire, hole_on_wire - 1, hole_word, escape_word}) {
    row.fill(word);
    ASSERT_TRUE(travels<TypeParam>(row)) << word;
  }
}

TYPED_TEST(AnyBitsRows, MayImitateSignatures) {
  for (int planes = 1; planes < 4; ++planes) {
    for (int i = 0; i < 50; ++i) {
      Row row = this->random.row_with(plane_signature(planes));
      if (i % 2 != 0) row = this->random.with_escapes(row);
      if (i % 10 < 2) row[0] = turned_bits ^ (i < 10 ? 0u : i < 20 ? ~first_bit : i < 30 ? 1u : ~first_bit - 1);
      ASSERT_TRUE(travels<TypeParam>({row, 4, by_planes<TypeParam> || i % 2 != 0})) << planes << " planes, row " << i;
    }
    Row row = this->random.row_with(plane_signature(planes));
    for (std::size_t i = 0; i < row.size(); ++i)
      if (i % 4 != 0) row[i] = hole_on_wire;
    ASSERT_TRUE(travels<TypeParam>({row, 4, true})) << planes << " planes, full of holes";
  }
}

TYPED_TEST(AnyBitsRows, NeedNoRecordWhereOneBitOfASignatureDiffers) {
  for (int planes = 1; planes < 4; ++planes)
    for (int lane = 0; lane < 32; ++lane)
      ASSERT_TRUE(travels<TypeParam>({this->random.row_with(plane_signature(planes) ^ 1u << lane), 4, false}))
          << planes << " planes, lane " << lane;
}

enum Kind {
  one_plane,
  two_planes,
  three_planes,
  packed_hole,
  whole,
  escapes,
  imitation,
  imitation_with_escapes,
  kinds
};

template <class Integer>
TravellingRow row_of(int kind, Random& random) {
  if (kind <= three_planes)
    return travelling<Integer>(std::bit_cast<Row>(random.values<Integer>(2 * int{sizeof(Integer)} * (kind + 1) - 1)));
  if constexpr (by_planes<Integer>) {
    if (kind == packed_hole) {
      const Row row = row_with_packed_hole<Integer>(3, random.below(32), 1);
      return {row, 4, needs_record<Integer>(row)};
    }
  }
  const Row row = kind < imitation ? random.row() : random.row_with(plane_signature(1 + random.below(3)));
  return travelling<Integer>(kind == escapes || kind == imitation_with_escapes ? random.with_escapes(row) : row);
}

/// Two rows of each two kinds.
template <class Integer>
void travel_in_pairs(const std::vector<Wave>& writers, const std::vector<Wave>& readers, Random& random) {
  for (int first = 0; first < kinds; ++first)
    for (int second = 0; second < kinds; ++second)
      ASSERT_TRUE(travel<Integer>(std::vector{row_of<Integer>(first, random), row_of<Integer>(second, random)}, writers,
                                  readers))
          << "kinds " << first << " and " << second;
}

TYPED_TEST(AnyBitsRows, OfTwoWarpsInStepDoNotMatterToEachOther) {
  travel_in_pairs<TypeParam>({{0, 1}}, {{0, 1}}, this->random);
}

TYPED_TEST(AnyBitsRows, MayComeFromWarpsInStepToOthers) {
  travel_in_pairs<TypeParam>({{0, 1}}, {{0}, {1}}, this->random);
}

TYPED_TEST(AnyBitsRows, MayComeToWarpsInStepFromOthers) {
  travel_in_pairs<TypeParam>({{0}, {1}}, {{1, 0}}, this->random);
}

TYPED_TEST(AnyBitsRows, MayBePairedOtherwiseAtTheReader) {
  for (int i = 0; i < 30; ++i) {
    std::vector<TravellingRow> rows;
    rows.reserve(4);
    for (int warp = 0; warp < 4; ++warp) rows.push_back(row_of<TypeParam>(this->random.below(kinds), this->random));
    ASSERT_TRUE(travel<TypeParam>(rows, {{0, 1}, {2, 3}}, {{2, 0}, {3, 1}}));
  }
}

}  // namespace
}  // namespace airamp::gpu::device
