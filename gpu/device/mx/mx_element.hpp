// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// One element of a block-scaled format: codes from scaled values and back, two at a time. The values that are encoded
// are finite or NaN, and their magnitude is at most the format's largest element.
#pragma once

#include <cmath>
#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// The poison code of the formats with elements of 8 bits.
inline constexpr std::uint32_t poison_byte = codec::WireFormatTraits<WireFormat::mxfp8_e4m3>::poison_code;

/// One code in software, bit-exact with the conversion instructions where there are any.
template <WireFormat format>
AIRAMP_DEVICE std::uint32_t software_encode(float value) {
  using Traits = codec::WireFormatTraits<format>;
  constexpr std::uint32_t sign_bit = 1u << (Traits::element_bits - 1);
  const std::uint32_t sign = bits_of(value) >> (32 - Traits::element_bits) & sign_bit;
  const std::uint32_t bits = bits_of(value) & 0x7fffffffu;
  std::uint32_t code;
  if constexpr (Traits::is_integer) {
    // Adding 2^17 leaves a unit of 2^-6 in the sum, which thus is rounded as wanted; its low bits are the code.
    code = bits_of(float_of_bits(bits) + 0x1p17f) - bits_of(0x1p17f);
  } else {
    constexpr int shift = 23 - Traits::mantissa_bits;
    constexpr float unit_base = codec::power_of_two(Traits::min_exponent + shift);
    constexpr std::uint32_t smallest_normal = static_cast<std::uint32_t>(Traits::min_exponent + 127) << 23;
    if (bits < smallest_normal) {
      code = bits_of(float_of_bits(bits) + unit_base) - bits_of(unit_base);
    } else {
      const std::uint32_t rounded = bits + ((1u << (shift - 1)) - 1) + (bits >> shift & 1u);
      code = (rounded >> shift) - (static_cast<std::uint32_t>(Traits::min_exponent + 126) << Traits::mantissa_bits);
    }
  }
  if (code != 0 || Traits::has_negative_zero) code |= sign;
  return bits > 0x7f800000u ? Traits::poison_code : code;
}

/// Two codes, the first in the low byte.
template <WireFormat format>
AIRAMP_DEVICE std::uint32_t encode_pair(float low, float high) {
#if AIRAMP_HARDWARE_FP8
  if constexpr (format == WireFormat::mxfp8_e4m3) return hardware_to_e4m3(low, high);
  if constexpr (format == WireFormat::mxfp8_e5m2) return hardware_to_e5m2(low, high);
#endif
  return software_encode<format>(low) | software_encode<format>(high) << 8;
}

AIRAMP_DEVICE float decode_mxint8(std::uint32_t code) {
  const std::uint32_t magnitude = code & 0x7fu;
  const std::uint32_t bits = bits_of(static_cast<float>(magnitude) * 0x1p-6f) | (code & 0x80u) << 24;
  return float_of_bits(magnitude == poison_byte ? codec::quiet_nan_float32 : bits);
}

/// The values of two codes, without their scale. Bits above the 16 of `codes` do not count.
template <WireFormat format>
AIRAMP_DEVICE void decode_pair(std::uint32_t codes, float& low, float& high) {
  if constexpr (format == WireFormat::mxint8) {
    low = decode_mxint8(codes);
    high = decode_mxint8(codes >> 8);
  } else if constexpr (format == WireFormat::mxfp8_e5m2) {
    float16_to_float((codes & 0xffu) << 8 | (codes & 0xff00u) << 16, low, high);  // the upper half of a binary16
  } else {
#if AIRAMP_HARDWARE_FP8
    float16_to_float(hardware_from_e4m3(codes), low, high);
#else
    // As the upper bits of a binary16, whose exponents have another bias: 2^-8 of the value, subnormals included.
    const std::uint32_t magnitudes = (codes & 0x7fu) << 7 | (codes & 0x7f00u) << 15;
    float16_to_float(magnitudes | (codes & 0x80u) << 8 | (codes & 0x8000u) << 16, low, high);
    low = (codes & 0x7fu) == poison_byte ? float_of_bits(codec::quiet_nan_float32) : low * 256.0f;
    high = (codes >> 8 & 0x7fu) == poison_byte ? float_of_bits(codec::quiet_nan_float32) : high * 256.0f;
#endif
  }
}

}  // namespace airamp::gpu::device
