// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What the codecs of block-scaled elements have in common: scales, and what must not be encoded as it is.
#pragma once

#include <cmath>
#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// 2^(byte-127), also where that is subnormal.
AIRAMP_DEVICE float scale_power(std::uint32_t byte) { return float_of_bits(byte == 0 ? 0x00400000u : byte << 23); }

/// The smallest byte with amax <= max_element * 2^(byte-127), where max_element has the exponent of the format's
/// largest element.
template <WireFormat format>
AIRAMP_DEVICE std::uint32_t scale_byte(float amax, float max_element = codec::WireFormatTraits<format>::max_element) {
  using Traits = codec::WireFormatTraits<format>;
  // Carries into the exponent if the significand exceeds that of the largest element. The integer format reaches down
  // to subnormal magnitudes, whose significand is half as long.
  std::uint32_t carry = 0x7fffffu - (bits_of(max_element) & 0x7fffffu);
  if (Traits::is_integer && bits_of(amax) < 0x00800000u) carry = 0x1ffffu;
  const int byte = static_cast<int>((bits_of(amax) + carry) >> 23) - Traits::max_exponent;
  return static_cast<std::uint32_t>(byte < 0 ? 0 : byte);
}

/// Clamps and poisons what the codec's definition does not encode as it is; rare.
template <WireFormat format, ElementType type, bool is_result>
AIRAMP_DEVICE float repaired(float value) {
  constexpr float limit = codec::largest_magnitude<format, type>();
  const float magnitude = fabsf(value);
  float result = copysignf(fminf(magnitude, limit), value);
  if constexpr (is_result && type == ElementType::float16) {
    if (magnitude >= 65520.0f) result = copysignf(65536.0f, value);
  }
  if constexpr (is_result && type == ElementType::bfloat16) {
    if (magnitude >= 0x1.FFp127f) result = float_of_bits(codec::quiet_nan_float32);
  }
  return magnitude < float_of_bits(0x7f800000u) ? result : float_of_bits(codec::quiet_nan_float32);
}

}  // namespace airamp::gpu::device
