// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/codec.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// The bits of quiet NaN that decoding gives, the same on every path.
inline constexpr std::uint32_t quiet_nan_float32 = 0x7fc00000u;
inline constexpr std::uint16_t quiet_nan_float16 = 0x7e00u;
inline constexpr std::uint16_t quiet_nan_bfloat16 = 0x7fc0u;

/// What defines an element format. `poison_code`: for NaN and infinities (of mxfp4 in marked rows alone, see
/// word_row.hpp). `clamp` times 2^emax of the element type is the largest magnitude that a finite input keeps
/// (exclusive where clamp_exclusive): what is larger would round up to a value that the element type cannot hold.
template <WireFormat format>
struct WireFormatTraits;

template <>
struct WireFormatTraits<WireFormat::mxfp8_e4m3> {
  static constexpr int element_bits = 8;
  static constexpr std::uint8_t poison_code = 0x7f;
  static constexpr bool is_integer = false;
  static constexpr bool has_negative_zero = true;
  static constexpr int mantissa_bits = 3;
  static constexpr int min_exponent = -6;  // of normal numbers
  static constexpr int max_exponent = 8;
  static constexpr float max_element = 448.0f;
  static constexpr float clamp = 1.9375f;
  static constexpr bool clamp_exclusive = true;
};

template <>
struct WireFormatTraits<WireFormat::mxfp8_e5m2> {
  static constexpr int element_bits = 8;
  static constexpr std::uint8_t poison_code = 0x7f;
  static constexpr bool is_integer = false;
  static constexpr bool has_negative_zero = true;
  static constexpr int mantissa_bits = 2;
  static constexpr int min_exponent = -14;
  static constexpr int max_exponent = 15;
  static constexpr float max_element = 57344.0f;
  static constexpr float clamp = 1.875f;
  static constexpr bool clamp_exclusive = true;
};

template <>
struct WireFormatTraits<WireFormat::mxint8> {
  static constexpr int element_bits = 8;
  static constexpr std::uint8_t poison_code = 0x7f;
  static constexpr bool is_integer = true;
  static constexpr bool has_negative_zero = false;
  static constexpr int mantissa_bits = 6;  // fraction bits: the unit is 2^-6
  static constexpr int max_exponent = 0;
  static constexpr float max_element = 126.0f / 64.0f;
  static constexpr float clamp = 126.0f / 64.0f;
  static constexpr bool clamp_exclusive = false;
};

// Of the numbers of 6 bits, which have no NaN, the largest magnitude is done without: its positive code is poison, its
// negative one, all ones, is never sent.

template <>
struct WireFormatTraits<WireFormat::mxfp6_e2m3> {
  static constexpr int element_bits = 6;
  static constexpr std::uint8_t poison_code = 0x1f;
  static constexpr bool is_integer = false;
  static constexpr bool has_negative_zero = true;
  static constexpr int mantissa_bits = 3;
  static constexpr int min_exponent = 0;
  static constexpr int max_exponent = 2;
  static constexpr float max_element = 7.0f;
  static constexpr float clamp = 1.9375f;
  static constexpr bool clamp_exclusive = true;
};

template <>
struct WireFormatTraits<WireFormat::mxfp6_e3m2> {
  static constexpr int element_bits = 6;
  static constexpr std::uint8_t poison_code = 0x1f;
  static constexpr bool is_integer = false;
  static constexpr bool has_negative_zero = true;
  static constexpr int mantissa_bits = 2;
  static constexpr int min_exponent = -2;
  static constexpr int max_exponent = 4;
  static constexpr float max_element = 24.0f;
  static constexpr float clamp = 1.875f;
  static constexpr bool clamp_exclusive = true;
};

template <>
struct WireFormatTraits<WireFormat::mxfp4> {
  static constexpr int element_bits = 4;
  static constexpr std::uint8_t poison_code = 0x7;
  static constexpr bool is_integer = false;
  static constexpr bool has_negative_zero = false;
  static constexpr int mantissa_bits = 1;
  static constexpr int min_exponent = 0;
  static constexpr int max_exponent = 2;
  static constexpr float max_element = 6.0f;
  static constexpr float clamp = 1.75f;
  static constexpr bool clamp_exclusive = true;
};

/// The largest magnitude that encoding keeps of a finite value of `type`.
template <WireFormat format, ElementType type>
constexpr float largest_magnitude() {
  using Traits = WireFormatTraits<format>;
  constexpr float two_to_emax = type == ElementType::float16 ? 0x1p15f : 0x1p127f;
  constexpr auto bits = std::bit_cast<std::uint32_t>(Traits::clamp * two_to_emax);
  return std::bit_cast<float>(bits - (Traits::clamp_exclusive ? 1u : 0u));
}

/// 2^exponent in binary32, for exponents from -149 to 127.
constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(exponent >= -126 ? static_cast<std::uint32_t>(exponent + 127) << 23
                                               : std::uint32_t{1} << (exponent + 149));
}

/// The value of an E8M0 scale byte: 2^(scale-127), NaN for 0xff.
constexpr float scale_value(std::uint8_t scale) {
  return scale == 0xff ? std::bit_cast<float>(quiet_nan_float32) : power_of_two(scale - 127);
}

}  // namespace airamp::codec
