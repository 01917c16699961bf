// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The tables and rules of the OCP 8-bit Floating Point Specification (OFP8) and of OCP Microscaling Formats (MX) v1.0.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "tests/codec/codec_test_support.hpp"
#include "tests/codec/row_places.hpp"

namespace airamp::codec::test {
namespace {

/// OFP8 table 1: E4M3 has bias 7, no infinity, and NaN where all bits of exponent and mantissa are set; E5M2 is
/// IEEE-like. MX v1.0 section 5.3.4: INT8 elements are multiples of 2^-6; here in sign and magnitude with 0x7f for NaN.
/// Sections 5.3.2 and 5.3.3: E2M3, E3M2 and E2M1 have the biases 1, 3 and 1 and neither infinities nor NaN; here the
/// largest ones of 6 bits are NaN.
double specified_value(WireFormat format, unsigned code) {
  const unsigned sign_bit = 1u << (bits_of_element(format) - 1);
  const unsigned magnitude = code & (sign_bit - 1);
  const double sign = (code & sign_bit) != 0 ? -1.0 : 1.0;
  const auto number = [&](int mantissa_bits, int bias) {
    const int exponent = static_cast<int>(magnitude >> mantissa_bits);
    const double fraction = std::ldexp(magnitude & ((1u << mantissa_bits) - 1), -mantissa_bits);
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias) : std::ldexp(1.0 + fraction, exponent - bias));
  };
  switch (format) {
    case WireFormat::mxfp8_e5m2:
      return ieee_value(code, 5, 2);
    case WireFormat::mxfp8_e4m3:
      return magnitude == 0x7fu ? std::nan("") : number(3, 7);
    case WireFormat::mxfp6_e2m3:
      return magnitude == 0x1fu ? std::nan("") : number(3, 1);
    case WireFormat::mxfp6_e3m2:
      return magnitude == 0x1fu ? std::nan("") : number(2, 3);
    case WireFormat::mxfp4:
      return number(1, 1);
    case WireFormat::mxint8:
      break;
  }
  return magnitude == 0x7fu ? std::nan("") : sign * magnitude / 64.0;
}

double largest_element(WireFormat format) {
  switch (format) {
    case WireFormat::mxfp8_e4m3:
      return 448.0;
    case WireFormat::mxfp8_e5m2:
      return 57344.0;
    case WireFormat::mxfp6_e2m3:
      return 7.0;
    case WireFormat::mxfp6_e3m2:
      return 24.0;
    case WireFormat::mxfp4:
      return 6.0;
    case WireFormat::mxint8:
      break;
  }
  return 126.0 / 64.0;
}

unsigned codes_of(WireFormat format) { return 1u << bits_of_element(format); }
unsigned sign_bit_of(WireFormat format) { return codes_of(format) / 2; }
unsigned poison_of(WireFormat format) { return sign_bit_of(format) - 1; }

/// A row whose first block begins with these elements; all else is zero.
std::vector<std::uint32_t> in_first_block(WireFormat format, const std::vector<std::uint32_t>& elements) {
  std::vector<std::uint32_t> row(wire_row_elements(format), 0u);
  const auto block = blocks_of(format).front();
  for (std::size_t i = 0; i < elements.size(); ++i) row[block[i]] = elements[i];
  return row;
}

Wire encode_block(const Codec& codec, const std::vector<double>& values) {
  std::vector<std::uint32_t> bits;
  for (const double value : values) bits.push_back(bits_of(value, ElementType::float32));
  return encode(codec, in_first_block(codec.format, bits), ElementType::float32);
}

/// The code of element `index` of the first block.
unsigned code_in_block(const Wire& wire, WireFormat format, std::size_t index) {
  return code_at(wire.data(), format, blocks_of(format).front()[index]);
}

/// The formats whose elements travel as they are. The rows of mxfp4 have tests of their own.
class ElementFormats : public testing::TestWithParam<WireFormat> {};
INSTANTIATE_TEST_SUITE_P(, ElementFormats,
                         testing::Values(WireFormat::mxfp8_e4m3, WireFormat::mxfp8_e5m2, WireFormat::mxint8,
                                         WireFormat::mxfp6_e2m3, WireFormat::mxfp6_e3m2),
                         [](const auto& test) { return name_of(test.param); });

TEST_P(ElementFormats, ValuesOfTheSpecificationsTables) {
  // OFP8 table 2: largest, smallest normal, largest and smallest subnormal number; MX v1.0: largest and smallest INT8.
  if (GetParam() == WireFormat::mxfp8_e4m3) {
    EXPECT_EQ(specified_value(GetParam(), 0x7e), 448.0);
    EXPECT_EQ(specified_value(GetParam(), 0x08), 0x1p-6);
    EXPECT_EQ(specified_value(GetParam(), 0x07), 0.875 * 0x1p-6);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0x1p-9);
  } else if (GetParam() == WireFormat::mxfp8_e5m2) {
    EXPECT_EQ(specified_value(GetParam(), 0x7b), 57344.0);
    EXPECT_EQ(specified_value(GetParam(), 0x04), 0x1p-14);
    EXPECT_EQ(specified_value(GetParam(), 0x03), 0.75 * 0x1p-14);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0x1p-16);
  } else if (GetParam() == WireFormat::mxfp6_e2m3) {  // MX v1.0 table 4: but for the largest number
    EXPECT_EQ(specified_value(GetParam(), 0x1e), 7.0);
    EXPECT_EQ(specified_value(GetParam(), 0x08), 1.0);
    EXPECT_EQ(specified_value(GetParam(), 0x07), 0.875);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0.125);
  } else if (GetParam() == WireFormat::mxfp6_e3m2) {
    EXPECT_EQ(specified_value(GetParam(), 0x1e), 24.0);
    EXPECT_EQ(specified_value(GetParam(), 0x04), 0.25);
    EXPECT_EQ(specified_value(GetParam(), 0x03), 0.1875);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0.0625);
  } else {
    EXPECT_EQ(specified_value(GetParam(), 0x7e), 1.96875);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0.015625);
    EXPECT_EQ(specified_value(GetParam(), 0xc0), -1.0);
  }
}

TEST_P(ElementFormats, DecodesEveryCodeUnderEveryScale) {
  const WireFormat format = GetParam();
  for (const TestedCodec& tested : all_codecs(format, ElementType::float32)) {
    for (unsigned scale = 0; scale < 256; ++scale) {
      Wire wire(format, codes_of(format));
      for (unsigned i = 0; i < wire_row_elements(format); ++i) set_code(wire.data(), format, i, i % codes_of(format));
      for (std::size_t block = 0; block < blocks_of(format).size(); ++block)
        set_scale(wire.data(), format, block, scale);
      const auto bits = decode(*tested.codec, wire, codes_of(format), ElementType::float32);
      for (unsigned code = 0; code < codes_of(format); ++code) {
        const double element = specified_value(format, code);
        const auto value = std::bit_cast<float>(bits[code]);
        if (std::isnan(element) || scale == 0xff) {
          ASSERT_EQ(bits[code], 0x7fc00000u) << tested.implementation << " code " << code << " scale " << scale;
        } else {
          // Beyond binary32 the product is infinite, as the conversion is.
          const auto expected = static_cast<float>(std::ldexp(element, static_cast<int>(scale) - 127));
          ASSERT_EQ(value, expected) << tested.implementation << " code " << code << " scale " << scale;
          ASSERT_EQ(std::signbit(value), code >= sign_bit_of(format)) << tested.implementation << " code " << code;
        }
      }
    }
  }
}

TEST_P(ElementFormats, EveryFiniteCodeEncodesToItself) {
  const WireFormat format = GetParam();
  for (const TestedCodec& tested : all_codecs(format, ElementType::float32)) {
    for (int exponent : {-127, -126, -100, 0, 100, 118}) {
      for (unsigned code = 0; code < codes_of(format); ++code) {
        const double element = specified_value(format, code);
        if (!std::isfinite(element) || (format == WireFormat::mxint8 && code == 0x80)) continue;
        if (largest_element(format) * std::ldexp(1.0, exponent) > 0x1.ep127) continue;
        const Wire wire =
            encode_block(*tested.codec, {std::ldexp(largest_element(format), exponent), std::ldexp(element, exponent)});
        ASSERT_EQ(static_cast<int>(scale_at(wire.data(), format, 0)), exponent + 127) << tested.implementation;
        ASSERT_EQ(code_in_block(wire, format, 1), code) << tested.implementation << " 2^" << exponent;
      }
    }
  }
}

TEST_P(ElementFormats, TiesGoToEvenAndAllElseToTheNearest) {
  for (const TestedCodec& tested : all_codecs(GetParam(), ElementType::float32)) {
    for (unsigned code = 0; code + 1 < poison_of(GetParam()); ++code) {
      const double low = specified_value(GetParam(), code), high = specified_value(GetParam(), code + 1);
      if (!std::isfinite(high)) break;
      const auto tie = static_cast<float>((low + high) / 2);
      const float below = std::nextafter(tie, 0.0f), above = std::nextafter(tie, 1e9f);
      const unsigned even = code % 2 == 0 ? code : code + 1;
      const std::vector<double> values = {largest_element(GetParam()), tie, below, above, -tie, -below, -above};
      const Wire wire = encode_block(*tested.codec, values);
      const auto at = [&wire](std::size_t i) { return code_in_block(wire, GetParam(), i); };
      const auto negative = [](unsigned magnitude) {
        // A negative value that rounds to zero keeps its sign, except in mxint8, which has one zero.
        return GetParam() == WireFormat::mxint8 && magnitude == 0 ? 0u : magnitude | sign_bit_of(GetParam());
      };
      ASSERT_EQ(at(1), even) << tested.implementation << " code " << code;
      ASSERT_EQ(at(2), code) << tested.implementation << " code " << code;
      ASSERT_EQ(at(3), code + 1) << tested.implementation << " code " << code;
      ASSERT_EQ(at(4), negative(even)) << tested.implementation << " code " << code;
      ASSERT_EQ(at(5), negative(code)) << tested.implementation << " code " << code;
      ASSERT_EQ(at(6), negative(code + 1)) << tested.implementation << " code " << code;
    }
  }
}

TEST_P(ElementFormats, ScaleIsTheSmallestThatHoldsTheLargestMagnitude) {
  for (const TestedCodec& tested : all_codecs(GetParam(), ElementType::float32)) {
    const auto scale_of = [&tested](double amax) {
      return static_cast<int>(scale_at(encode_block(*tested.codec, {0.0, -amax}).data(), GetParam(), 0));
    };
    for (int scale = 0; scale < 255; ++scale) {
      const auto limit = static_cast<float>(std::ldexp(largest_element(GetParam()), scale - 127));
      // What binary32 cannot hold, or what is clamped, has no boundary.
      if (limit >= 0x1.8p127f) break;
      EXPECT_EQ(scale_of(limit), scale) << tested.implementation;
      EXPECT_EQ(scale_of(std::nextafter(limit, 0x1p127f)), scale + 1) << tested.implementation;
    }
    EXPECT_EQ(scale_of(0.0), 0);
    EXPECT_EQ(scale_of(std::numeric_limits<float>::denorm_min()), 0);
  }
}

TEST_P(ElementFormats, NotFiniteBecomesThePoisonCodeWhateverTheSign) {
  for (const ElementType type : {ElementType::float16, ElementType::bfloat16, ElementType::float32}) {
    const bool wide = type == ElementType::float32, half = type == ElementType::float16;
    const std::uint32_t infinity = wide ? 0x7f800000u : half ? 0x7c00u : 0x7f80u;
    const std::uint32_t sign = wide ? 0x80000000u : 0x8000u;
    for (const TestedCodec& tested : all_codecs(GetParam(), type)) {
      const auto row =
          in_first_block(GetParam(), {infinity, infinity | sign, infinity + 1, (infinity + 1) | sign,
                                      (infinity - 1) | infinity | 1u, sign - 1, sign | (sign - 1), bits_of(1.0, type)});
      const Wire wire = encode(*tested.codec, row, type);
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(code_in_block(wire, GetParam(), i), poison_of(GetParam()))
            << tested.implementation << " element " << i;
      }
      // The scale is that of the only finite element.
      const auto values = decode_exactly(*tested.codec, wire, row.size());
      EXPECT_EQ(values[blocks_of(GetParam()).front()[7]], 1.0f) << tested.implementation;
      const auto bits = decode(*tested.codec, wire, 1, type);
      EXPECT_EQ(bits[0], wide ? 0x7fc00000u : half ? 0x7e00u : 0x7fc0u) << tested.implementation;
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
