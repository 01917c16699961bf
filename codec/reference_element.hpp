// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// The scale of a block whose largest finite magnitude is `amax`: the smallest byte e with amax <= max_element *
/// 2^(e-127).
template <WireFormat format>
std::uint8_t reference_scale(float amax, float max_element = WireFormatTraits<format>::max_element) {
  using Traits = WireFormatTraits<format>;
  if (amax == 0.0f) return 0;
  int exponent = std::ilogb(amax) - Traits::max_exponent;
  if (static_cast<double>(amax) > std::ldexp(static_cast<double>(max_element), exponent)) ++exponent;
  return static_cast<std::uint8_t>(std::max(exponent + 127, 0));
}

/// The code of `value` under `scale`, rounded to nearest even; |value| is at most max_element * 2^(scale-127), or
/// `value` is not finite.
template <WireFormat format>
std::uint8_t reference_encode(float value, std::uint8_t scale) {
  using Traits = WireFormatTraits<format>;
  if (!std::isfinite(value)) return Traits::poison_code;
  constexpr unsigned sign_bit = 1u << (Traits::element_bits - 1);
  const unsigned sign = std::signbit(value) ? sign_bit : 0u;
  // In double, so that the quotient is exact.
  const double magnitude = std::ldexp(std::fabs(static_cast<double>(value)), 127 - scale);
  if constexpr (Traits::is_integer) {
    const auto code = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, Traits::mantissa_bits)));
    return static_cast<std::uint8_t>(code != 0 ? code | sign : code);
  } else {
    const int exponent =
        magnitude == 0.0 ? Traits::min_exponent : std::max(std::ilogb(magnitude), Traits::min_exponent);
    const auto significand =
        static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, Traits::mantissa_bits - exponent)));
    // A normal number's hidden bit counts as one step of the exponent field, and so does a significand that rounds up.
    const unsigned code =
        (static_cast<unsigned>(exponent - Traits::min_exponent) << Traits::mantissa_bits) + significand;
    return static_cast<std::uint8_t>(code != 0 || Traits::has_negative_zero ? code | sign : code);
  }
}

/// The value of an element code, without its scale. What encoding never produces decodes as in the OCP formats, and
/// a poison code of either sign to NaN, unless the code stands where there is no `poison`.
template <WireFormat format>
constexpr float reference_decode(std::uint8_t code, bool poison = true) {
  using Traits = WireFormatTraits<format>;
  constexpr unsigned sign_bit = 1u << (Traits::element_bits - 1);
  const unsigned magnitude = code & (sign_bit - 1);
  const float sign = (code & sign_bit) != 0 ? -1.0f : 1.0f;
  const float quiet_nan = std::bit_cast<float>(quiet_nan_float32);
  if (poison && magnitude == Traits::poison_code) return quiet_nan;
  if constexpr (Traits::is_integer) {
    return sign * static_cast<float>(magnitude) * power_of_two(-Traits::mantissa_bits);
  } else {
    const int exponent_field = static_cast<int>(magnitude >> Traits::mantissa_bits);
    const unsigned mantissa = magnitude & ((1u << Traits::mantissa_bits) - 1);
    if (exponent_field + Traits::min_exponent - 1 > Traits::max_exponent) {
      return mantissa == 0 ? sign * std::bit_cast<float>(0x7f800000u) : quiet_nan;
    }
    const unsigned significand = exponent_field == 0 ? mantissa : mantissa + (1u << Traits::mantissa_bits);
    const int exponent = Traits::min_exponent + std::max(exponent_field - 1, 0);
    return sign * static_cast<float>(significand) * power_of_two(exponent - Traits::mantissa_bits);
  }
}

/// What becomes of an input before it is encoded: finite values keep at most largest_magnitude().
template <WireFormat format, ElementType type>
float clamp_input(float value) {
  constexpr float limit = largest_magnitude<format, type>();
  return std::isfinite(value) ? std::clamp(value, -limit, limit) : value;
}

/// What becomes of a reduced value before it is encoded: what overflows `type` will decode to a non-finite value, all
/// else is clamped like an input.
template <WireFormat format, ElementType type>
float clamp_result(float value) {
  if constexpr (type == ElementType::float16) {
    // 65536 is exact in every format under every scale that a block with it can have, and decodes to infinity.
    if (std::isfinite(value) && std::fabs(value) >= 65520.0f) return std::copysign(65536.0f, value);
  }
  if constexpr (type == ElementType::bfloat16) {
    if (std::fabs(value) >= 0x1.FFp127f) return std::bit_cast<float>(quiet_nan_float32);
  }
  return clamp_input<format, type>(value);
}

}  // namespace airamp::codec
