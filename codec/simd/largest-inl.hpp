// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// The largest magnitudes of a row's blocks; included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_LARGEST) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_LARGEST
#undef AIRAMP_CODEC_SIMD_LARGEST
#else
#define AIRAMP_CODEC_SIMD_LARGEST
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "codec/byte_row.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

inline constexpr std::size_t row_blocks_of_half = 8;
inline constexpr std::size_t last_block_elements = half_row_elements % block_elements;

/// Unsigned integers with the width of an element; magnitudes compare like them, and NaN and infinities are larger than
/// all numbers.
template <ElementType type>
using MagnitudeLane = std::conditional_t<type == ElementType::float32, std::uint32_t, std::uint16_t>;
template <ElementType type>
using Magnitude = hn::CappedTag<MagnitudeLane<type>, block_elements>;

/// The largest magnitudes of a block in each lane.
template <ElementType type, std::size_t elements>
HWY_INLINE hn::Vec<Magnitude<type>> largest_of_block(const Bytes* block) {
  const Magnitude<type> d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  const auto* values = reinterpret_cast<const MagnitudeLane<type>*>(block);
  const auto magnitude =
      hn::Set(d, static_cast<MagnitudeLane<type>>(type == ElementType::float32 ? 0x7fffffff : 0x7fff));
  if constexpr (lanes > elements) {
    return hn::And(hn::MaskedLoad(hn::FirstN(d, elements), d, values), magnitude);
  } else {
    auto largest = hn::And(hn::LoadU(d, values), magnitude);
    for (std::size_t i = lanes; i < elements; i += lanes) {
      // The last vector may overlap the one before it.
      const auto value = hn::LoadU(d, values + std::min(i, elements - lanes));
      largest = hn::Max(largest, hn::And(value, magnitude));
    }
    return largest;
  }
}

/// Block `block` (0 to 7) of a half of the row.
template <ElementType type>
HWY_INLINE hn::Vec<Magnitude<type>> largest_of_block(const Bytes* half, std::size_t block) {
  const Bytes* first = half + block * block_elements * size_of(type);
  return block + 1 < row_blocks_of_half ? largest_of_block<type, block_elements>(first)
                                        : largest_of_block<type, last_block_elements>(first);
}

#if HWY_TARGET <= HWY_AVX3
/// Lane by lane the larger of two vectors of magnitudes.
template <ElementType type>
HWY_INLINE __m512i larger(__m512i a, __m512i b) {
  return type == ElementType::float32 ? _mm512_max_epu32(a, b) : _mm512_max_epu16(a, b);
}

/// The largest magnitudes of four blocks, each in 128 bits: first those of blocks k and k+4 of the first half, then
/// those of the second.
template <ElementType type>
HWY_INLINE __m512i largest_of_four(const Bytes* first, const Bytes* second, std::size_t k) {
  const __m512i a = largest_of_block<type>(first, k).raw, b = largest_of_block<type>(first, k + 4).raw;
  const __m512i c = largest_of_block<type>(second, k).raw, d = largest_of_block<type>(second, k + 4).raw;
  const __m512i ab = larger<type>(_mm512_shuffle_i64x2(a, b, 0x44), _mm512_shuffle_i64x2(a, b, 0xee));
  const __m512i cd = larger<type>(_mm512_shuffle_i64x2(c, d, 0x44), _mm512_shuffle_i64x2(c, d, 0xee));
  return larger<type>(_mm512_shuffle_i64x2(ab, cd, 0x88), _mm512_shuffle_i64x2(ab, cd, 0xdd));
}

/// The largest magnitudes of the row's 16 blocks as elements' bits, in the order of the scales. All blocks are folded
/// at once: that takes a third of the instructions of folding one after the other.
template <ElementType type>
HWY_INLINE void block_largest(const Bytes* elements, std::uint32_t* amax) {
  const Bytes* second = elements + half_row_elements * size_of(type);
  const __m512i v0 = largest_of_four<type>(elements, second, 0), v1 = largest_of_four<type>(elements, second, 1);
  const __m512i v2 = largest_of_four<type>(elements, second, 2), v3 = largest_of_four<type>(elements, second, 3);
  const __m512i v01 = larger<type>(_mm512_unpacklo_epi64(v0, v1), _mm512_unpackhi_epi64(v0, v1));
  const __m512i v23 = larger<type>(_mm512_unpacklo_epi64(v2, v3), _mm512_unpackhi_epi64(v2, v3));
  const __m512 x = _mm512_castsi512_ps(v01), y = _mm512_castsi512_ps(v23);
  __m512i largest = larger<type>(_mm512_castps_si512(_mm512_shuffle_ps(x, y, 0x88)),
                                 _mm512_castps_si512(_mm512_shuffle_ps(x, y, 0xdd)));
  if (type != ElementType::float32) {
    const __m512i folded = larger<type>(largest, _mm512_srli_epi32(largest, 16));
    largest = _mm512_and_si512(folded, _mm512_set1_epi32(0xffff));
  }
  // 128-bit lanes now hold blocks 0-3 and 4-7 of the first half, then of the second.
  const __m512i order = _mm512_setr_epi32(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15);
  _mm512_store_si512(amax, _mm512_permutexvar_epi32(order, largest));
}
#else
template <ElementType type>
HWY_INLINE void block_largest(const Bytes* elements, std::uint32_t* amax) {
  for (std::size_t half = 0; half < 2; ++half) {
    for (std::size_t k = 0; k < row_blocks_of_half; ++k) {
      const auto largest = largest_of_block<type>(elements + half * half_row_elements * size_of(type), k);
      amax[2 * k + half] = hn::GetLane(hn::MaxOfLanes(Magnitude<type>(), largest));
    }
  }
}
#endif

/// The largest magnitudes of the row's blocks as binary32 bits, in the order of the scales; returns the largest of all.
/// NaN and infinities are larger than all numbers.
template <ElementType type>
HWY_INLINE std::uint32_t row_largest_bits(const Bytes* elements, std::uint32_t* amax) {
  block_largest<type>(elements, amax);
  const hn::CappedTag<std::uint32_t, row_scales> d;
  auto largest = hn::Zero(d);
  for (std::size_t i = 0; i < row_scales; i += hn::MaxLanes(d)) {
    auto bits = hn::Load(d, amax + i);
    if constexpr (type == ElementType::bfloat16) bits = hn::ShiftLeft<16>(bits);
    if constexpr (type == ElementType::float16) {
      const hn::Rebind<std::uint16_t, decltype(d)> d16;
      const hn::RebindToFloat<decltype(d)> df;
      const auto half = hn::DemoteTo(d16, hn::BitCast(hn::RebindToSigned<decltype(d)>(), bits));
      bits = hn::BitCast(d, hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, decltype(d)>(), half)));
    }
    hn::Store(bits, d, amax + i);
    largest = hn::Max(largest, bits);
  }
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
