// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Decoding of wire rows whose elements are bytes; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_DECODE) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_DECODE
#undef AIRAMP_CODEC_SIMD_DECODE
#else
#define AIRAMP_CODEC_SIMD_DECODE
#endif

#include <hwy/highway.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/byte_row.hpp"
#include "codec/reference_element.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

inline constexpr auto scale_values = [] {
  std::array<float, 256> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = scale_value(static_cast<std::uint8_t>(i));
  return values;
}();

#if HWY_TARGET <= HWY_AVX3
/// The values of the 128 codes without sign, as bfloat16, which holds all of them exactly.
template <WireFormat format>
inline constexpr auto code_values = [] {
  std::array<std::uint16_t, 128> values{};
  for (std::size_t code = 0; code < values.size(); ++code) {
    const float value = reference_decode<format>(static_cast<std::uint8_t>(code));
    values[code] = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
  }
  return values;
}();

/// Looks element codes up; its four registers of tables stay for all lines of a row.
template <WireFormat format>
class CodeTable {
 public:
  HWY_INLINE CodeTable() {
    for (std::size_t i = 0; i < 4; ++i) tables_[i] = _mm512_loadu_si512(code_values<format>.data() + 32 * i);
  }

  /// A line of codes in which all negative NaN are replaced by the positive one.
  HWY_INLINE __m512i load(const Bytes* line) const {
    const __m512i codes = _mm512_loadu_si512(line);
    constexpr int largest_number = format == WireFormat::mxfp8_e5m2 ? 0xfc : 0xfe;
    const __mmask64 is_nan = _mm512_cmpgt_epu8_mask(codes, _mm512_set1_epi8(static_cast<char>(largest_number)));
    return _mm512_mask_blend_epi8(is_nan, codes, _mm512_set1_epi8(WireFormatTraits<format>::poison_code));
  }

  /// 32 bfloat16 from codes that stand in the lower and in the upper byte of each 16-bit lane.
  HWY_INLINE __m512i look_up(__m512i codes) const {
    const __m512i small = _mm512_permutex2var_epi16(tables_[0], codes, tables_[1]);
    const __m512i large = _mm512_permutex2var_epi16(tables_[2], codes, tables_[3]);
    const __mmask32 is_large = _mm512_test_epi16_mask(codes, _mm512_set1_epi16(0x40));
    const __m512i sign = _mm512_and_si512(codes, _mm512_set1_epi16(static_cast<std::int16_t>(0x8000)));
    return _mm512_or_si512(_mm512_mask_blend_epi16(is_large, small, large), sign);
  }

 private:
  __m512i tables_[4];
};

/// Decodes a row and calls consume(tag, index, values) for all of it: values are the elements from `index` on, in
/// vectors of `tag`.
template <WireFormat format, class Consumer>
HWY_INLINE void decode_byte_row(const Bytes* wire, const Consumer& consume) {
  const Float d;
  const HalfFloat half;
  const CodeTable<format> table;
  // Words 0-15 and 16-31 go to the upper halves of 32-bit lanes.
  constexpr __mmask32 upper = 0xaaaaaaaau;
  const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i first_order = _mm512_slli_epi32(lane, 16);
  const __m512i second_order = _mm512_add_epi32(first_order, _mm512_set1_epi32(16 << 16));
  for (std::size_t k = 0; k < 8; ++k) {
    const __m512i line = table.load(wire + 64 * k);
    for (std::size_t half_row = 0; half_row < 2; ++half_row) {
      const std::size_t index = half_row * half_row_elements + k * block_elements;
      const auto scale = hn::Set(d, scale_values[wire[byte_row_elements + 2 * k + half_row]]);
      // A 128-bit lane holds eight codes of either half.
      const __m512i codes = half_row == 0 ? _mm512_unpacklo_epi8(line, line) : _mm512_unpackhi_epi8(line, line);
      const __m512i words = table.look_up(codes);
      const hn::Vec<Float> low{_mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(upper, first_order, words))};
      const hn::Vec<Float> high{_mm512_castsi512_ps(_mm512_maskz_permutexvar_epi16(upper, second_order, words))};
      consume(d, index, hn::Mul(low, scale));
      const auto second = hn::Mul(high, scale);
      if (k < 7) {
        consume(d, index + 16, second);
      } else {
        consume(half, index + 16, hn::LowerHalf(half, second));
      }
    }
  }
}
#else
/// The values of element codes, without their scale.
template <WireFormat format, class D>
HWY_INLINE hn::Vec<D> element_values(D d, hn::Vec<hn::Rebind<std::int8_t, D>> codes) {
  const auto quiet_nan = hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), quiet_nan_float32));
  if constexpr (format == WireFormat::mxint8) {
    const hn::RebindToSigned<D> di;
    const auto wide = hn::PromoteTo(di, codes);
    const auto units = hn::And(wide, hn::Set(di, 0x7f));
    const auto sign = hn::SignBit(d);
    const auto value = hn::Mul(hn::ConvertTo(d, units), hn::Set(d, power_of_two(-6)));
    const auto with_sign = hn::Or(value, hn::And(hn::BitCast(d, wide), sign));
    return hn::IfThenElse(hn::RebindMask(d, hn::Eq(units, hn::Set(di, int{WireFormatTraits<format>::poison_code}))),
                          quiet_nan, with_sign);
  } else {
    // Both formats have binary16's bits, but for the width of the exponent (e4m3: binary16 with 2^-8 times the value).
    const hn::Rebind<std::int16_t, D> d16;
    const hn::Rebind<hwy::float16_t, D> half;
    const auto wide = hn::PromoteTo(d16, codes);
    if constexpr (format == WireFormat::mxfp8_e5m2) {
      const auto value = hn::PromoteTo(d, hn::BitCast(half, hn::ShiftLeft<8>(wide)));
      return hn::IfThenElse(hn::IsNaN(value), quiet_nan, value);
    } else {
      const auto bits = hn::And(hn::ShiftLeft<7>(wide), hn::Set(d16, static_cast<std::int16_t>(0xbf80)));
      const auto value = hn::Mul(hn::PromoteTo(d, hn::BitCast(half, bits)), hn::Set(d, 256.0f));
      return hn::IfThenElse(hn::Gt(hn::Abs(value), hn::Set(d, 448.0f)), quiet_nan, value);
    }
  }
}

/// Decodes a row and calls consume(tag, index, values) for all of it: values are the elements from `index` on, in
/// vectors of `tag`.
template <WireFormat format, class Consumer>
HWY_INLINE void decode_byte_row(const Bytes* wire, const Consumer& consume) {
  const Float d;
  const hn::Rebind<std::int8_t, Float> d8;
  for (std::size_t group = 0; group < row_groups; ++group) {
    const Bytes* scales = wire + byte_row_elements + group / 4 * 2;
    const auto* codes = reinterpret_cast<const std::int8_t*>(wire) + group * 2 * group_elements;
    for (std::size_t i = 0; i < 2 * group_elements; i += float_lanes) {
      const std::size_t second = i / group_elements;
      const auto scale = hn::Set(d, scale_values[scales[second]]);
      const auto values = hn::Mul(element_values<format>(d, hn::LoadU(d8, codes + i)), scale);
      consume(d, group * group_elements + second * half_row_elements + i % group_elements, values);
    }
  }
}
#endif

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
