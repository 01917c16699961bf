// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"

namespace airamp::codec {

/// IEEE binary16 to binary32, exact; a NaN becomes a quiet NaN.
inline float float_from_float16(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000u) << 16;
  const int exponent = half >> 10 & 0x1f;
  const std::uint32_t mantissa = half & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(mantissa == 0 ? sign | 0x7f800000u : quiet_nan_float32);
  const float magnitude = exponent == 0 ? static_cast<float>(mantissa) * power_of_two(-24)
                                        : static_cast<float>(mantissa | 0x400u) * power_of_two(exponent - 25);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | sign);
}

/// Binary32 to IEEE binary16, to nearest even.
inline std::uint16_t float16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
  const float magnitude = std::fabs(value);
  if (std::isnan(value)) return quiet_nan_float16;
  if (magnitude >= 65520.0f) return sign | 0x7c00u;
  const int exponent = static_cast<int>(bits >> 23 & 0xffu) - 127;
  const int unit_exponent = exponent < -14 ? -24 : exponent - 10;
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(static_cast<double>(magnitude), -unit_exponent)));
  // A significand that rounds up to 2^11 carries into the exponent field by itself.
  const std::uint32_t exponent_field = exponent < -14 ? 0u : static_cast<std::uint32_t>(exponent + 14) << 10;
  return static_cast<std::uint16_t>(sign | (exponent_field + units));
}

/// Binary32 to bfloat16, to nearest even.
inline std::uint16_t bfloat16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (std::isnan(value)) return quiet_nan_bfloat16;
  return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/// Element `index` of a buffer of any alignment, in binary32.
template <ElementType type>
float load_element(const std::byte* elements, std::size_t index) {
  if constexpr (type == ElementType::float32) {
    float value;
    std::memcpy(&value, elements + index * sizeof value, sizeof value);
    return value;
  } else {
    std::uint16_t bits;
    std::memcpy(&bits, elements + index * sizeof bits, sizeof bits);
    if constexpr (type == ElementType::float16) return float_from_float16(bits);
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
}

/// Rounds `value` to `type` and stores it as element `index` of a buffer of any alignment.
template <ElementType type>
void store_element(float value, std::byte* elements, std::size_t index) {
  if constexpr (type == ElementType::float32) {
    const std::uint32_t bits = std::isnan(value) ? quiet_nan_float32 : std::bit_cast<std::uint32_t>(value);
    std::memcpy(elements + index * sizeof bits, &bits, sizeof bits);
  } else {
    const std::uint16_t bits = type == ElementType::float16 ? float16_from_float(value) : bfloat16_from_float(value);
    std::memcpy(elements + index * sizeof bits, &bits, sizeof bits);
  }
}

}  // namespace airamp::codec
