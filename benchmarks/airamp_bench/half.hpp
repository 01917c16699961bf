// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace airamp::benchmark {

/// IEEE 754 binary16 and bfloat16 as bit patterns, converted by integer arithmetic as applications do that have no such
/// type.

inline float float16_to_float(std::uint16_t bits) {
  // As the bits of a float, exponents are 112 too small; the product mends that for subnormal numbers as well.
  const float magnitude = std::bit_cast<float>((bits & 0x7fffU) << 13U) * 0x1p112F;
  const std::uint32_t special = (bits & 0x7c00U) == 0x7c00U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) | special | ((bits & 0x8000U) << 16U));
}

/// Rounds to nearest even; a NaN stays a NaN.
inline std::uint16_t float_to_float16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) {
    result = 0x7e00U;
  } else if (magnitude >= 0x477ff000U) {  // 65520, half way to what would follow the largest number
    result = 0x7c00U;
  } else if (magnitude < 0x38800000U) {  // below 2^-14: the last bit of a sum with 0.5 counts subnormal steps
    result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  } else {
    result = ((magnitude + 0xfffU + ((magnitude >> 13U) & 1U)) >> 13U) - (112U << 10U);
  }
  return static_cast<std::uint16_t>(sign | result);
}

inline float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

/// Rounds to nearest even; a NaN stays a NaN.
inline std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = bits + 0x7fffU + ((bits >> 16U) & 1U);
  const std::uint32_t quiet = bits | 0x400000U;
  return static_cast<std::uint16_t>(((bits & 0x7fffffffU) > 0x7f800000U ? quiet : rounded) >> 16U);
}

}  // namespace airamp::benchmark
