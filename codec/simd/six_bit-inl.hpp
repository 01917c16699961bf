// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Rows with elements of 6 bits (word_row.hpp); included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_SIX_BIT) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_SIX_BIT
#undef AIRAMP_CODEC_SIMD_SIX_BIT
#else
#define AIRAMP_CODEC_SIMD_SIX_BIT
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/simd/codes-inl.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/simd/words-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "codec/word_row.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

/// Where a word's two bits of the scale stand in it: 0, 2, 4, 6, 0, ...
template <class DU>
HWY_INLINE hn::Vec<DU> scale_shifts(DU du) {
  return hn::And(hn::ShiftLeft<1>(hn::Iota(du, 0)), hn::Set(du, 6u));
}

/// Words from their elements, `largest` being the bits of the largest finite magnitudes of their blocks.
template <WireFormat format, bool finite, class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> six_bit_words(D d, const hn::Vec<D>* values,
                                                          hn::Vec<hn::RebindToUnsigned<D>> largest) {
  using Row = WordRow<format>;
  const hn::RebindToUnsigned<D> du;
  const auto scale = scales_of<format>(du, largest);
  const auto factor = encoding_factors(d, scale);
  auto words = hn::ShiftLeft<30>(hn::Shr(scale, scale_shifts(du)));
  for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
    const auto codes = element_codes<format, finite>(d, values[g], factor);
    words = hn::Or(words, hn::ShiftLeftSame(codes, static_cast<int>(g * Row::code_bits)));
  }
  return words;
}

/// Encodes a full row of elements of `input` as inputs, or as results of a reduction, of `type`.
template <WireFormat format, ElementType input, ElementType type, bool is_result>
HWY_INLINE void encode_six_bit_row(const Bytes* elements, Bytes* wire) {
  using Row = WordRow<format>;
  const Float d;
  const hn::RebindToUnsigned<Float> du;
  const auto limit = hn::Set(du, std::bit_cast<std::uint32_t>(largest_magnitude<format, type>()));
  for (std::size_t k = 0; k < Row::words; k += float_lanes) {
    hn::Vec<Float> values[Row::elements_of_word];
    auto largest = hn::Zero(du);
    for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
      values[g] = load_elements<input>(d, elements + (k + g * Row::words) * size_of(input));
      largest = hn::Max(largest, magnitude_bits(d, values[g]));
    }
    auto words = hn::Zero(du);
    if (HWY_LIKELY(hn::AllFalse(du, hn::Gt(largest, limit)))) {
      words = six_bit_words<format, true>(d, values, largest_of_words(du, largest));
    } else {
      largest = hn::Zero(du);
      for (auto& value : values) {
        value = clamped<format, type, is_result>(d, value);
        largest = hn::Max(largest, finite_magnitude_bits(d, value));
      }
      words = six_bit_words<format, false>(d, values, largest_of_words(du, largest));
    }
    hn::StoreU(words, du, reinterpret_cast<std::uint32_t*>(wire) + k);
  }
}

/// Decodes a row and calls consume(tag, index, values) for all of it: values are the elements from `index` on, in
/// vectors of `tag`.
template <WireFormat format, class Consumer>
HWY_INLINE void decode_six_bit_row(const Bytes* wire, const Consumer& consume) {
  using Row = WordRow<format>;
  const Float d;
  const hn::RebindToUnsigned<Float> du;
  const CodeValues<format, true> values;
  for (std::size_t k = 0; k < Row::words; k += float_lanes) {
    const auto words = hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(wire) + k);
    auto scale = hn::Shl(hn::ShiftRight<30>(words), scale_shifts(du));
    scale = hn::Or(scale, hn::Shuffle2301(scale));
    scale = hn::Or(scale, hn::Shuffle1032(scale));
    const auto power = scale_powers(d, scale);
    for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
      const auto codes = hn::ShiftRightSame(words, static_cast<int>(g * Row::code_bits));
      consume(d, k + g * Row::words, hn::Mul(values(d, codes), power));
    }
  }
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
