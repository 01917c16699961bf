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

namespace airamp::codec::test {
namespace {

/// OFP8 table 1: E4M3 has bias 7, no infinity, and NaN where all bits of exponent and mantissa are set; E5M2 is
/// IEEE-like. MX v1.0 section 5.3.4: INT8 elements are multiples of 2^-6; here in sign and magnitude with 0x7f for NaN.
double specified_value(WireFormat format, unsigned code) {
  const unsigned magnitude = code & 0x7fu;
  const double sign = code > 0x7fu ? -1.0 : 1.0;
  switch (format) {
    case WireFormat::mxfp8_e5m2:
      return ieee_value(code, 5, 2);
    case WireFormat::mxfp8_e4m3: {
      if (magnitude == 0x7fu) return std::nan("");
      const int exponent = static_cast<int>(magnitude >> 3);
      const double fraction = (magnitude & 7u) / 8.0;
      return sign * (exponent == 0 ? std::ldexp(fraction, -6) : std::ldexp(1.0 + fraction, exponent - 7));
    }
    case WireFormat::mxint8:
      break;
  }
  return magnitude == 0x7fu ? std::nan("") : sign * magnitude / 64.0;
}

double largest_element(WireFormat format) {
  return format == WireFormat::mxint8 ? 126.0 / 64.0 : format == WireFormat::mxfp8_e4m3 ? 448.0 : 57344.0;
}

class ElementFormats : public testing::TestWithParam<WireFormat> {};
INSTANTIATE_TEST_SUITE_P(, ElementFormats,
                         testing::Values(WireFormat::mxfp8_e4m3, WireFormat::mxfp8_e5m2, WireFormat::mxint8),
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
  } else {
    EXPECT_EQ(specified_value(GetParam(), 0x7e), 1.96875);
    EXPECT_EQ(specified_value(GetParam(), 0x01), 0.015625);
    EXPECT_EQ(specified_value(GetParam(), 0xc0), -1.0);
  }
}

TEST_P(ElementFormats, DecodesEveryCodeUnderEveryScale) {
  for (const TestedCodec& tested : all_codecs(GetParam(), ElementType::float32)) {
    for (unsigned scale = 0; scale < 256; ++scale) {
      Wire wire(256);
      for (std::size_t i = 0; i < wire_row_elements; ++i) {
        // Codes 0 to 247 lie in the first half, the others in the second.
        const std::size_t half = i / 248, place = i % 248;
        wire.data()[place / 8 * 16 + half * 8 + place % 8] = static_cast<std::byte>(i);
      }
      for (std::size_t i = 496; i < 512; ++i) wire.data()[i] = static_cast<std::byte>(scale);
      const auto bits = decode(*tested.codec, wire, 256, ElementType::float32);
      for (unsigned code = 0; code < 256; ++code) {
        const double element = specified_value(GetParam(), code);
        const auto value = std::bit_cast<float>(bits[code]);
        if (std::isnan(element) || scale == 0xff) {
          ASSERT_EQ(bits[code], 0x7fc00000u) << tested.implementation << " code " << code << " scale " << scale;
        } else {
          // Beyond binary32 the product is infinite, as the conversion is.
          const auto expected = static_cast<float>(std::ldexp(element, static_cast<int>(scale) - 127));
          ASSERT_EQ(value, expected) << tested.implementation << " code " << code << " scale " << scale;
          ASSERT_EQ(std::signbit(value), code > 0x7f) << tested.implementation << " code " << code;
        }
      }
    }
  }
}

TEST_P(ElementFormats, EveryFiniteCodeEncodesToItself) {
  for (const TestedCodec& tested : all_codecs(GetParam(), ElementType::float32)) {
    for (int exponent : {-127, -126, -100, 0, 100, 118}) {
      for (unsigned code = 0; code < 256; ++code) {
        const double element = specified_value(GetParam(), code);
        if (!std::isfinite(element) || (GetParam() == WireFormat::mxint8 && code == 0x80)) continue;
        if (largest_element(GetParam()) * std::ldexp(1.0, exponent) > 0x1.ep127) continue;
        const Wire wire = encode_values(
            *tested.codec, {std::ldexp(largest_element(GetParam()), exponent), std::ldexp(element, exponent)},
            ElementType::float32);
        ASSERT_EQ(static_cast<int>(wire.data()[496]), exponent + 127) << tested.implementation;
        ASSERT_EQ(static_cast<unsigned>(wire.data()[1]), code) << tested.implementation << " 2^" << exponent;
      }
    }
  }
}

TEST_P(ElementFormats, TiesGoToEvenAndAllElseToTheNearest) {
  for (const TestedCodec& tested : all_codecs(GetParam(), ElementType::float32)) {
    for (unsigned code = 0; code < 0x7e; ++code) {
      const double low = specified_value(GetParam(), code), high = specified_value(GetParam(), code + 1);
      if (!std::isfinite(high)) break;
      const auto tie = static_cast<float>((low + high) / 2);
      const float below = std::nextafter(tie, 0.0f), above = std::nextafter(tie, 1e9f);
      const unsigned even = code % 2 == 0 ? code : code + 1;
      const std::vector<double> values = {largest_element(GetParam()), tie, below, above, -tie, -below, -above};
      const Wire wire = encode_values(*tested.codec, values, ElementType::float32);
      const auto at = [&wire](std::size_t i) { return static_cast<unsigned>(wire.data()[i]); };
      const auto negative = [](unsigned magnitude) {
        // A negative value that rounds to zero keeps its sign, except in mxint8, which has one zero.
        return GetParam() == WireFormat::mxint8 && magnitude == 0 ? 0u : magnitude | 0x80u;
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
      return static_cast<int>(encode_values(*tested.codec, {0.0, -amax}, ElementType::float32).data()[496]);
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
      const Wire wire = encode(*tested.codec,
                               {infinity, infinity | sign, infinity + 1, (infinity + 1) | sign,
                                (infinity - 1) | infinity | 1u, sign - 1, sign | (sign - 1), bits_of(1.0, type)},
                               type);
      for (std::size_t i = 0; i < 7; ++i) {
        EXPECT_EQ(static_cast<int>(wire.data()[i]), 0x7f) << tested.implementation << " element " << i;
      }
      // The scale is that of the only finite element.
      const auto values = decode_exactly(*tested.codec, wire, 8);
      EXPECT_EQ(values[7], 1.0f) << tested.implementation;
      const auto bits = decode(*tested.codec, wire, 1, type);
      EXPECT_EQ(bits[0], wide ? 0x7fc00000u : half ? 0x7e00u : 0x7fc0u) << tested.implementation;
    }
  }
}

}  // namespace
}  // namespace airamp::codec::test
