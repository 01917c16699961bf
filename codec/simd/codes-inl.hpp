// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Scales and element codes of vectors of numbers; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_CODES) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_CODES
#undef AIRAMP_CODEC_SIMD_CODES
#else
#define AIRAMP_CODEC_SIMD_CODES
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "codec/simd/elements-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

inline constexpr std::uint32_t infinity_bits = 0x7f800000u;

/// The scale bytes of blocks from the binary32 bits of their largest magnitudes: the smallest under which no element
/// exceeds `max_element`, which has the exponent of the format's largest one.
template <WireFormat format, class DU>
HWY_INLINE hn::Vec<DU> scales_of(DU d, hn::Vec<DU> bits, float max_element = WireFormatTraits<format>::max_element) {
  using Traits = WireFormatTraits<format>;
  const hn::RebindToSigned<DU> di;
  // What carries into the exponent if the significand is larger than that of max_element.
  const std::uint32_t carry = 0x7fffffu - (std::bit_cast<std::uint32_t>(max_element) & 0x7fffffu);
  auto exponent = hn::ShiftRight<23>(hn::Add(bits, hn::Set(d, carry)));
  if constexpr (Traits::max_exponent == 0) {
    // Subnormal: there is no hidden bit, so the limit lies elsewhere: max_element * 2^-127.
    constexpr std::uint32_t limit = std::bit_cast<std::uint32_t>(Traits::max_element * 0x1p-127f);
    const auto large = hn::IfThenElseZero(hn::Gt(bits, hn::Set(d, limit)), hn::Set(d, 1u));
    exponent = hn::IfThenElse(hn::Lt(bits, hn::Set(d, 0x800000u)), large, exponent);
  }
  const auto unbounded = hn::Sub(hn::BitCast(di, exponent), hn::Set(di, Traits::max_exponent));
  return hn::BitCast(d, hn::Max(unbounded, hn::Zero(di)));
}

/// The factors 2^(127-scale).
template <class D>
HWY_INLINE hn::Vec<D> encoding_factors(D d, hn::Vec<hn::RebindToUnsigned<D>> scales) {
  const hn::RebindToUnsigned<D> du;
  // Scale 254 has the subnormal factor 2^-127.
  return hn::BitCast(d, hn::Max(hn::ShiftLeft<23>(hn::Sub(hn::Set(du, 254u), scales)), hn::Set(du, 0x400000u)));
}

/// Element codes, one in each 32-bit lane. Unless `finite`, NaN and infinities become the poison code.
template <WireFormat format, bool finite, class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> element_codes(D d, hn::Vec<D> values, hn::Vec<D> factor) {
  using Traits = WireFormatTraits<format>;
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, values);
  const auto magnitude = hn::Mul(hn::Abs(values), factor);
  constexpr std::uint32_t sign_bit = 1u << (Traits::element_bits - 1);
  const auto sign = hn::And(hn::ShiftRight<32 - Traits::element_bits>(bits), hn::Set(du, sign_bit));
  auto code = hn::Zero(du);
  if constexpr (Traits::is_integer) {
    // Beside this number the unit of binary32 is that of the format, and the addition rounds to nearest even.
    const auto magic = hn::Set(d, power_of_two(23 - Traits::mantissa_bits));
    code = hn::Sub(hn::BitCast(du, hn::Add(magnitude, magic)), hn::BitCast(du, magic));
  } else {
    // The same with a number that follows the exponent of each element down to that of the smallest normal one.
    constexpr std::uint32_t smallest = static_cast<std::uint32_t>(Traits::min_exponent + 127) << 23;
    constexpr int shift = 23 - Traits::mantissa_bits;
    const auto exponent_bits = hn::And(hn::BitCast(du, magnitude), hn::Set(du, infinity_bits));
    const auto magic = hn::Add(hn::Max(exponent_bits, hn::Set(du, smallest)), hn::Set(du, std::uint32_t{shift} << 23));
    const auto rounded = hn::BitCast(du, hn::Add(magnitude, hn::BitCast(d, magic)));
    const auto units = hn::Sub(rounded, magic);
    constexpr std::uint32_t offset = (smallest >> shift) + (std::uint32_t{shift} << Traits::mantissa_bits);
    code = hn::Sub(hn::Add(units, hn::ShiftRight<shift>(magic)), hn::Set(du, offset));
  }
  if constexpr (Traits::has_negative_zero) {
    code = hn::Or(code, sign);
  } else {
    code = hn::Or(code, hn::IfThenZeroElse(hn::Eq(code, hn::Zero(du)), sign));
  }
  if constexpr (!finite) {
    const auto poison = hn::Gt(hn::And(bits, hn::Set(du, 0x7fffffffu)), hn::Set(du, infinity_bits - 1));
    code = hn::IfThenElse(poison, hn::Set(du, std::uint32_t{Traits::poison_code}), code);
  }
  return code;
}

/// Clamps values as inputs, or as results of a reduction, to `type`. What is not finite stays as it is.
template <WireFormat format, ElementType type, bool is_result, class D>
HWY_INLINE hn::Vec<D> clamped(D d, hn::Vec<D> value) {
  const auto limit = hn::Set(d, largest_magnitude<format, type>());
  const auto infinity = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), infinity_bits));
  const auto magnitude = hn::Abs(value);
  auto result = hn::IfThenElse(hn::Gt(magnitude, limit), limit, magnitude);
  if constexpr (is_result && type == ElementType::float16) {
    result = hn::IfThenElse(hn::Ge(magnitude, hn::Set(d, 65520.0f)), hn::Set(d, 65536.0f), result);
  }
  if constexpr (is_result && type == ElementType::bfloat16) {
    result = hn::IfThenElse(hn::Ge(magnitude, hn::Set(d, 0x1.FFp127f)), infinity, result);
  }
  return hn::IfThenElse(hn::Lt(magnitude, infinity), hn::CopySign(result, value), value);
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
