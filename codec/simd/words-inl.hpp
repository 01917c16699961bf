// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What the rows of words have in common (word_row.hpp); included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_WORDS) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_WORDS
#undef AIRAMP_CODEC_SIMD_WORDS
#else
#define AIRAMP_CODEC_SIMD_WORDS
#endif

#include <hwy/highway.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "codec/reference_element.hpp"
#include "codec/simd/codes-inl.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> magnitude_bits(D, hn::Vec<D> values) {
  return hn::BitCast(hn::RebindToUnsigned<D>(), hn::Abs(values));
}

/// Zero for what is not finite.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> finite_magnitude_bits(D d, hn::Vec<D> values) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = magnitude_bits(d, values);
  return hn::IfThenElseZero(hn::Lt(bits, hn::Set(du, infinity_bits)), bits);
}

/// The largest of each block's four words.
template <class DU>
HWY_INLINE hn::Vec<DU> largest_of_words(DU, hn::Vec<DU> values) {
  values = hn::Max(values, hn::Shuffle2301(values));
  return hn::Max(values, hn::Shuffle1032(values));
}

/// 2^(scale-127), NaN for 255.
template <class D>
HWY_INLINE hn::Vec<D> scale_powers(D d, hn::Vec<hn::RebindToUnsigned<D>> scale) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::Max(hn::ShiftLeft<23>(scale), hn::Set(du, 0x400000u));
  return hn::BitCast(d, hn::IfThenElse(hn::Eq(scale, hn::Set(du, 255u)), hn::Set(du, quiet_nan_float32), bits));
}

/// The values of the codes that stand in the lowest bits of 32-bit lanes; bits above them do not count. `poison`: the
/// poison code stands for NaN.
template <WireFormat format, bool poison>
class CodeValues {
  using Traits = WireFormatTraits<format>;
  static constexpr std::uint32_t sign_bit = 1u << (Traits::element_bits - 1);

 public:
#if HWY_TARGET <= HWY_AVX3
  HWY_INLINE CodeValues() {
    for (std::size_t i = 0; i < 2; ++i) tables_[i] = _mm512_loadu_ps(magnitudes.data() + 16 * i);
  }

  HWY_INLINE hn::Vec<Float> operator()(Float d, hn::Vec<hn::RebindToUnsigned<Float>> codes) const {
    if constexpr (Traits::element_bits == 4) {
      return hn::Vec<Float>{_mm512_permutexvar_ps(codes.raw, tables_[0])};  // by the lowest four bits
    } else {
      return with_sign(d, hn::Vec<Float>{_mm512_permutex2var_ps(tables_[0], codes.raw, tables_[1])}, codes);
    }
  }
#endif

  template <class D>
  HWY_INLINE hn::Vec<D> operator()(D d, hn::Vec<hn::RebindToUnsigned<D>> codes) const {
    const hn::RebindToUnsigned<D> du;
    const hn::RebindToSigned<D> di;
    // Multiples of the smallest number: the mantissa with its hidden bit, shifted by the exponent.
    constexpr std::uint32_t hidden = 1u << Traits::mantissa_bits;
    const auto magnitude = hn::And(codes, hn::Set(du, sign_bit - 1));
    const auto exponent = hn::ShiftRight<Traits::mantissa_bits>(magnitude);
    const auto mantissa = hn::And(magnitude, hn::Set(du, hidden - 1));
    const auto is_normal = hn::Ne(exponent, hn::Zero(du));
    const auto significand = hn::Or(mantissa, hn::IfThenElseZero(is_normal, hn::Set(du, hidden)));
    const auto shift = hn::IfThenElseZero(is_normal, hn::Sub(exponent, hn::Set(du, 1u)));
    const auto units = hn::ConvertTo(d, hn::BitCast(di, hn::Shl(significand, shift)));
    auto value = hn::Mul(units, hn::Set(d, power_of_two(Traits::min_exponent - Traits::mantissa_bits)));
    if constexpr (poison) {
      const auto is_poison = hn::Eq(magnitude, hn::Set(du, std::uint32_t{Traits::poison_code}));
      value = hn::IfThenElse(hn::RebindMask(d, is_poison), hn::BitCast(d, hn::Set(du, quiet_nan_float32)), value);
    }
    return with_sign(d, value, codes);
  }

 private:
  /// NaN stays positive.
  template <class D>
  static HWY_INLINE hn::Vec<D> with_sign(D d, hn::Vec<D> values, hn::Vec<hn::RebindToUnsigned<D>> codes) {
    const auto sign =
        hn::And(hn::ShiftLeft<32 - Traits::element_bits>(codes), hn::Set(hn::RebindToUnsigned<D>(), 0x80000000u));
    const auto result = hn::Or(values, hn::BitCast(d, sign));
    if constexpr (poison) return hn::IfThenElse(hn::IsNaN(values), values, result);
    return result;
  }

#if HWY_TARGET <= HWY_AVX3
  /// By code: of elements of 6 bits without sign, of those of 4 bits with it.
  static constexpr auto magnitudes = [] {
    std::array<float, 32> values{};
    for (std::size_t code = 0; code < values.size(); ++code)
      values[code] = reference_decode<format>(static_cast<std::uint8_t>(code % (2 * sign_bit)), poison);
    return values;
  }();

  __m512 tables_[2];
#endif
};

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
