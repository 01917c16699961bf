// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Encoding of wire rows whose elements are bytes; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_ENCODE) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_ENCODE
#undef AIRAMP_CODEC_SIMD_ENCODE
#else
#define AIRAMP_CODEC_SIMD_ENCODE
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/byte_row.hpp"
#include "codec/simd/codes-inl.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/simd/largest-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

/// The largest finite magnitude of a block, as bits.
template <std::size_t elements>
HWY_INLINE std::uint32_t largest_finite_bits(const float* block) {
  const hn::CappedTag<std::uint32_t, 8> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < elements; i += lanes) {
    const auto value = hn::LoadU(d, reinterpret_cast<const std::uint32_t*>(block) + i);
    const auto magnitude = hn::And(value, hn::Set(d, 0x7fffffffu));
    largest = hn::Max(largest, hn::IfThenElseZero(hn::Lt(magnitude, hn::Set(d, infinity_bits)), magnitude));
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

/// The scale bytes of 16 blocks from the binary32 bits of their largest magnitudes, and the factors 2^(127-scale).
template <WireFormat format>
HWY_INLINE void block_scales(const std::uint32_t* amax, Bytes* scales, float* factors) {
  const hn::CappedTag<std::uint32_t, row_scales> d;
  const hn::RebindToSigned<decltype(d)> di;
  const hn::RebindToFloat<decltype(d)> df;
  const hn::Rebind<Bytes, decltype(d)> d8;
  for (std::size_t i = 0; i < row_scales; i += hn::MaxLanes(d)) {
    const auto scale = scales_of<format>(d, hn::LoadU(d, amax + i));
    hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, scale)), d8, scales + i);
    hn::StoreU(encoding_factors(df, scale), df, factors + i);
  }
}

#if HWY_TARGET <= HWY_AVX3
/// One cache line of the row: `elements` (32 or 24) elements of either half. In the last line garbage is stored where
/// the scales belong.
template <WireFormat format, ElementType type, bool finite, std::size_t elements>
HWY_INLINE void encode_line(const Bytes* first, const Bytes* second, const float* factors, Bytes* line) {
  const Float d;
  const auto first_factor = hn::Set(d, factors[0]);
  const auto second_factor = hn::Set(d, factors[1]);
  constexpr std::size_t step = 16 * size_of(type);
  const auto a0 = element_codes<format, finite>(d, load_elements<type>(d, first), first_factor);
  const auto b0 = element_codes<format, finite>(d, load_elements<type>(d, second), second_factor);
  auto a1 = a0;
  auto b1 = b0;
  if constexpr (elements == block_elements) {
    a1 = element_codes<format, finite>(d, load_elements<type>(d, first + step), first_factor);
    b1 = element_codes<format, finite>(d, load_elements<type>(d, second + step), second_factor);
  } else {
    const HalfFloat half;
    a1 = element_codes<format, finite>(d, hn::ZeroExtendVector(d, load_elements<type>(half, first + step)),
                                       first_factor);
    b1 = element_codes<format, finite>(d, hn::ZeroExtendVector(d, load_elements<type>(half, second + step)),
                                       second_factor);
  }
  // 128-bit lane j now gets four codes each of a0, a1, b0, b1; the permutation makes groups of eight of them.
  const __m512i words_a = _mm512_packus_epi32(a0.raw, a1.raw);
  const __m512i words_b = _mm512_packus_epi32(b0.raw, b1.raw);
  const __m512i bytes = _mm512_packus_epi16(words_a, words_b);
  const __m512i order = _mm512_setr_epi32(0, 4, 2, 6, 8, 12, 10, 14, 1, 5, 3, 7, 9, 13, 11, 15);
  _mm512_storeu_si512(line, _mm512_permutexvar_epi32(order, bytes));
}
#else
template <WireFormat format, ElementType type, bool finite, std::size_t elements>
HWY_INLINE void encode_line(const Bytes* first, const Bytes* second, const float* factors, Bytes* line) {
  const Float d;
  const hn::RebindToSigned<Float> di;
  const hn::Rebind<Bytes, Float> d8;
  for (std::size_t half = 0; half < 2; ++half) {
    const Bytes* source = half == 0 ? first : second;
    const auto factor = hn::Set(d, factors[half]);
    for (std::size_t i = 0; i < elements; i += float_lanes) {
      const auto values = load_elements<type>(d, source + i * size_of(type));
      const auto codes = element_codes<format, finite>(d, values, factor);
      Bytes* target = line + i / group_elements * 2 * group_elements + half * group_elements + i % group_elements;
      hn::StoreU(hn::DemoteTo(d8, hn::BitCast(di, codes)), d8, target);
    }
  }
}
#endif

/// Writes the whole row from elements whose blocks have the given largest finite magnitudes (in the order of the
/// scales).
template <WireFormat format, ElementType type, bool finite>
HWY_INLINE void encode_elements(const Bytes* elements, const std::uint32_t* amax, Bytes* wire) {
  HWY_ALIGN Bytes scales[row_scales];
  HWY_ALIGN float factors[row_scales];
  block_scales<format>(amax, scales, factors);
  const Bytes* second = elements + half_row_elements * size_of(type);
  constexpr std::size_t last = row_blocks_of_half - 1;
  for (std::size_t k = 0; k < last; ++k) {
    const std::size_t offset = k * block_elements * size_of(type);
    encode_line<format, type, finite, block_elements>(elements + offset, second + offset, factors + 2 * k,
                                                      wire + 64 * k);
  }
  constexpr std::size_t offset = last * block_elements * size_of(type);
  encode_line<format, type, finite, last_block_elements>(elements + offset, second + offset, factors + 2 * last,
                                                         wire + 64 * last);
  std::copy_n(scales, row_scales, wire + byte_row_elements);
}

/// Clamps 496 values in place as inputs, or as results of a reduction, to `type`.
template <WireFormat format, ElementType type, bool is_result>
HWY_INLINE void clamp_row(float* values) {
  const Float d;
  for (std::size_t i = 0; i < byte_row_elements; i += float_lanes)
    hn::StoreU(clamped<format, type, is_result>(d, hn::LoadU(d, values + i)), d, values + i);
}

/// A row with values that must be clamped or are not finite; changes `values`.
template <WireFormat format, ElementType type, bool is_result>
HWY_NOINLINE void encode_special_row(float* values, Bytes* wire) {
  clamp_row<format, type, is_result>(values);
  HWY_ALIGN std::uint32_t amax[row_scales];
  for (std::size_t half = 0; half < 2; ++half) {
    const float* block = values + half * half_row_elements;
    for (std::size_t k = 0; k + 1 < row_blocks_of_half; ++k, block += block_elements) {
      amax[2 * k + half] = largest_finite_bits<block_elements>(block);
    }
    amax[row_scales - 2 + half] = largest_finite_bits<last_block_elements>(block);
  }
  encode_elements<format, ElementType::float32, false>(reinterpret_cast<const Bytes*>(values), amax, wire);
}

/// Encodes a full row of input elements.
template <WireFormat format, ElementType type>
HWY_INLINE void encode_input_byte_row(const Bytes* elements, Bytes* wire) {
  HWY_ALIGN std::uint32_t amax[row_scales];
  constexpr auto limit = std::bit_cast<std::uint32_t>(largest_magnitude<format, type>());
  if (HWY_LIKELY(row_largest_bits<type>(elements, amax) <= limit)) {
    return encode_elements<format, type, true>(elements, amax, wire);
  }
  HWY_ALIGN float values[byte_row_elements];
  const Float d;
  for (std::size_t i = 0; i < byte_row_elements; i += float_lanes) {
    hn::Store(load_elements<type>(d, elements + i * size_of(type)), d, values + i);
  }
  encode_special_row<format, type, false>(values, wire);
}

/// Encodes a full row of reduced values, which it may change.
template <WireFormat format, ElementType type>
HWY_INLINE void encode_result_byte_row(float* values, Bytes* wire) {
  HWY_ALIGN std::uint32_t amax[row_scales];
  constexpr auto limit = std::bit_cast<std::uint32_t>(largest_magnitude<format, type>());
  const auto* bytes = reinterpret_cast<const Bytes*>(values);
  if (HWY_LIKELY(row_largest_bits<ElementType::float32>(bytes, amax) <= limit)) {
    return encode_elements<format, ElementType::float32, true>(bytes, amax, wire);
  }
  encode_special_row<format, type, true>(values, wire);
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
