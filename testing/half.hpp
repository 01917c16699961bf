// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace airamp::testing {

// IEEE 754 binary16 and bfloat16 as bit patterns, converted by integer arithmetic as applications do that have no such
// type. For tests and benchmarks: kept apart from the conversions in codec/, so that neither hides a mistake of the
// other. Without branches where it matters, so that a compiler may vectorise a loop over them.

inline float float_from_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16U); }

/// Rounds to nearest, ties to even; every NaN becomes the same one.
inline std::uint16_t bfloat16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7fffU + ((bits >> 16U) & 1U)) >> 16U;
  return static_cast<std::uint16_t>((bits & 0x7fffffffU) > 0x7f800000U ? 0x7fc0U : rounded);
}

inline float float_from_float16(std::uint16_t bits) {
  const std::uint32_t exponent = (bits >> 10U) & 0x1fU;
  const std::uint32_t fraction = bits & 0x3ffU;
  const std::uint32_t wide = exponent == 0x1fU ? 0xffU : exponent + 112U;
  const auto subnormal = std::bit_cast<std::uint32_t>(static_cast<float>(fraction) * 0x1p-24F);
  const std::uint32_t magnitude = exponent == 0 ? subnormal : (wide << 23U) | (fraction << 13U);
  return std::bit_cast<float>(((bits & 0x8000U) << 16U) | magnitude);
}

/// Rounds to nearest, ties to even; overflows to infinity; every NaN becomes the same one.
inline std::uint16_t float16_from_float(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7fffffffU;
  std::uint32_t result = 0;
  if (magnitude > 0x7f800000U) return 0x7e00U;
  if (magnitude >= 0x477ff000U) {  // 65520, half way to what would follow the largest number
    result = 0x7c00U;
  } else if (magnitude < 0x38800000U) {  // below 2^-14: the last bit of a sum with 0.5 counts subnormal steps
    result = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) - 0x3f000000U;
  } else {
    result = (magnitude - 0x38000000U + 0xfffU + ((magnitude >> 13U) & 1U)) >> 13U;
  }
  return static_cast<std::uint16_t>(sign | result);
}

}  // namespace airamp::testing
