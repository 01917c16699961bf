// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "codec/codec.hpp"
#include "core/wire_format.hpp"
#include "tests/codec/codec_test_support.hpp"
#include "tests/codec/row_places.hpp"

namespace airamp::codec::test {
namespace {

class RowLayout : public testing::TestWithParam<FormatAndType> {};
INSTANTIATE_TEST_SUITE_P(, RowLayout, testing::ValuesIn(formats_and_types_without_transform()),
                         [](const auto& test) { return name_of(test.param); });

TEST(WireRows, CountsRows) {
  for (const auto& [format, row] : {std::pair{WireFormat::mxfp8_e4m3, 496u}, std::pair{WireFormat::mxint8, 496u},
                                    std::pair{WireFormat::mxfp6_e3m2, 640u}, std::pair{WireFormat::mxfp4, 960u}}) {
    EXPECT_EQ(wire_rows(format, 0), 0u);
    EXPECT_EQ(wire_rows(format, 1), 1u);
    EXPECT_EQ(wire_rows(format, row), 1u);
    EXPECT_EQ(wire_rows(format, row + 1), 2u);
  }
}

/// What a row of zeros with the given codes and scales is.
Wire row_of(WireFormat format, const std::vector<std::pair<std::size_t, unsigned>>& codes,
            const std::vector<std::pair<std::size_t, unsigned>>& scales) {
  Wire wire(format, 1);
  std::memset(wire.data(), 0, wire.bytes());
  for (const auto& [element, code] : codes) set_code(wire.data(), format, element, code);
  for (const auto& [block, scale] : scales) set_scale(wire.data(), format, block, scale);
  return wire;
}

TEST_P(RowLayout, EveryElementAndItsScaleHaveTheirPlaces) {
  const auto [format, type] = GetParam();
  const auto blocks = blocks_of(format);
  for (const TestedCodec& tested : all_codecs(format, type)) {
    // 1.5 alone, which tells code and scale.
    const Wire first = encode_values(*tested.codec, {1.5}, type);
    const unsigned code = code_at(first.data(), format, 0), scale = scale_at(first.data(), format, 0);
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      for (const std::size_t i : blocks[block]) {
        std::vector<double> values(wire_row_elements(format), 0.0);
        values[i] = 1.5;
        const Wire wire = encode_values(*tested.codec, values, type);
        ASSERT_TRUE(wire == row_of(format, {{i, code}}, {{block, scale}})) << tested.implementation << " " << i;
        const auto decoded = decode(*tested.codec, wire, values.size(), type);
        for (std::size_t k = 0; k < values.size(); ++k)
          ASSERT_EQ(value_of(decoded[k], type), values[k]) << tested.implementation << " element " << k;
      }
    }
  }
}

TEST_P(RowLayout, AnElementScalesItsOwnBlockOnly) {
  const auto [format, type] = GetParam();
  const auto blocks = blocks_of(format);
  for (const TestedCodec& tested : all_codecs(format, type)) {
    std::vector<double> values(wire_row_elements(format), 1.0);
    values[blocks.front().back()] = 1024.0;
    values[blocks.back().front()] = 512.0;
    const Wire wire = encode_values(*tested.codec, values, type);
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const unsigned shift = k == 0 ? 10 : k + 1 == blocks.size() ? 9 : 0;
      // Of 1, 512 and 1024 the significand is below that of max_element, so the exponents tell the scales apart.
      ASSERT_EQ(scale_at(wire.data(), format, k), scale_at(wire.data(), format, 1) + shift)
          << tested.implementation << " scale " << k;
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
