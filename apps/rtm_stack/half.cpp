// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "half.hpp"

#include <bit>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define RTM_STACK_F16C 1
#include <immintrin.h>
#endif

namespace rtm_stack {
namespace {

constexpr std::uint32_t float_infinity = 0x7f800000U;
constexpr std::uint32_t half_overflow = 0x477ff000U;    // 65520: from here on the nearest binary16 is infinity
constexpr std::uint32_t half_min_normal = 0x38800000U;  // 2^-14
constexpr std::uint32_t rebias = 0x38000000U;           // 127 - 15 in the exponent field of binary32

#ifdef RTM_STACK_F16C
__attribute__((target("avx,f16c"))) std::size_t add_with_f16c(const Half* addend, Half* sum, std::size_t count) {
  constexpr std::size_t width = 8;
  const std::size_t whole = count - count % width;
  for (std::size_t i = 0; i < whole; i += width) {
    const __m256 left = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(addend + i)));
    const __m256 right = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(sum + i)));
    const __m128i rounded = _mm256_cvtps_ph(_mm256_add_ps(left, right), _MM_FROUND_TO_NEAREST_INT);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(sum + i), rounded);
  }
  return whole;
}
#endif

/// Adds what the processor can add in groups and returns how many elements that were.
std::size_t add_groups([[maybe_unused]] const Half* addend, [[maybe_unused]] Half* sum,
                       [[maybe_unused]] std::size_t count) {
#ifdef RTM_STACK_F16C
  static const bool available = __builtin_cpu_supports("avx") && __builtin_cpu_supports("f16c");
  if (available) return add_with_f16c(addend, sum, count);
#endif
  return 0;
}

}  // namespace

Half to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const auto sign = static_cast<std::uint32_t>((bits >> 16U) & 0x8000U);
  std::uint32_t magnitude = bits & 0x7fffffffU;
  if (magnitude > float_infinity) return static_cast<Half>(sign | 0x7e00U | ((magnitude >> 13U) & 0x3ffU));
  if (magnitude >= half_overflow) return static_cast<Half>(sign | 0x7c00U);
  if (magnitude < half_min_normal) {
    // One unit in the last place of 0.5 is the smallest binary16 number, so this addition does the rounding.
    const float aligned = std::bit_cast<float>(magnitude) + 0.5F;
    return static_cast<Half>(sign | (std::bit_cast<std::uint32_t>(aligned) - std::bit_cast<std::uint32_t>(0.5F)));
  }
  magnitude += 0xfffU + ((magnitude >> 13U) & 1U);
  return static_cast<Half>(sign | ((magnitude - rebias) >> 13U));
}

float to_float(Half half) {
  const std::uint32_t sign = (half & 0x8000U) << 16U;
  const std::uint32_t magnitude = (half & 0x7fffU) << 13U;
  const std::uint32_t exponent = magnitude & 0x0f800000U;
  if (exponent == 0x0f800000U) return std::bit_cast<float>(sign | float_infinity | magnitude);
  if (exponent != 0) return std::bit_cast<float>(sign | (magnitude + rebias));
  const float subnormal = std::bit_cast<float>(magnitude + half_min_normal) - std::bit_cast<float>(half_min_normal);
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(subnormal));
}

void add_halves(const Half* addend, Half* sum, std::size_t count) {
  for (std::size_t i = add_groups(addend, sum, count); i < count; ++i) {
    sum[i] = to_half(to_float(addend[i]) + to_float(sum[i]));
  }
}

}  // namespace rtm_stack
