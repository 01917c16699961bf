// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "codec/codec.hpp"
#include "tests/codec/codec_test_support.hpp"

namespace airamp::codec::test {
namespace {

class RowLayout : public testing::TestWithParam<FormatAndType> {};
INSTANTIATE_TEST_SUITE_P(, RowLayout, testing::ValuesIn(all_formats_and_types()),
                         [](const auto& test) { return name_of(test.param); });

TEST(WireRows, CountsRows) {
  EXPECT_EQ(wire_rows(0), 0u);
  EXPECT_EQ(wire_rows(1), 1u);
  EXPECT_EQ(wire_rows(496), 1u);
  EXPECT_EQ(wire_rows(497), 2u);
}

TEST_P(RowLayout, EveryElementAndItsScaleHaveTheirPlaces) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : all_codecs(format, type)) {
    for (std::size_t i = 0; i < wire_row_elements; ++i) {
      std::vector<double> values(wire_row_elements, 0.0);
      values[i] = 1.5;
      const Wire wire = encode_values(*tested.codec, values, type);
      std::vector<std::size_t> places;
      for (std::size_t byte = 0; byte < wire_row_bytes; ++byte) {
        if (wire.data()[byte] != std::byte{0}) places.push_back(byte);
      }
      const std::size_t half = i < 248 ? 0 : 1, in_half = i - half * 248;
      const std::vector<std::size_t> expected = {16 * (in_half / 8) + 8 * half + in_half % 8,
                                                 496 + 2 * (in_half / 32) + half};
      ASSERT_EQ(places, expected) << tested.implementation << " element " << i;
      const auto decoded = decode(*tested.codec, wire, wire_row_elements, type);
      for (std::size_t k = 0; k < wire_row_elements; ++k) {
        ASSERT_EQ(value_of(decoded[k], type), values[k]) << tested.implementation << " element " << k;
      }
    }
  }
}

TEST_P(RowLayout, AnElementScalesItsOwnBlockOnly) {
  const auto [format, type] = GetParam();
  for (const TestedCodec& tested : all_codecs(format, type)) {
    std::vector<double> values(wire_row_elements, 1.0);
    values[31] = 1024.0;        // the last of block 0 of the first half
    values[248 + 224] = 512.0;  // the first of the short block of the second half
    const Wire wire = encode_values(*tested.codec, values, type);
    for (std::size_t k = 0; k < 16; ++k) {
      const int shift = k == 0 ? 10 : k == 15 ? 9 : 0;
      // Of 1, 512 and 1024 the significand is below that of max_element, so the exponents tell the scales apart.
      ASSERT_EQ(static_cast<int>(wire.data()[496 + k]), static_cast<int>(wire.data()[498]) + shift)
          << tested.implementation << " scale " << k;
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
