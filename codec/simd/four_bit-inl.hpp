// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Rows with elements of 4 bits (word_row.hpp); included once for every SIMD target.
#if defined(AIRAMP_CODEC_SIMD_FOUR_BIT) == defined(HWY_TARGET_TOGGLE)
#ifdef AIRAMP_CODEC_SIMD_FOUR_BIT
#undef AIRAMP_CODEC_SIMD_FOUR_BIT
#else
#define AIRAMP_CODEC_SIMD_FOUR_BIT
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "codec/codec.hpp"
#include "codec/simd/codes-inl.hpp"
#include "codec/simd/consumers-inl.hpp"
#include "codec/simd/elements-inl.hpp"
#include "codec/simd/words-inl.hpp"
#include "codec/wire_format_traits.hpp"
#include "codec/word_row.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace airamp::codec::HWY_NAMESPACE {

using FourBitRow = WordRow<WireFormat::mxfp4>;
inline constexpr std::size_t four_bit_elements = wire_row_elements(WireFormat::mxfp4);

/// Calls step(tag, word) for all words of a row, as many at a time as the tag has lanes.
template <class Step>
HWY_INLINE void for_words(const Step& step) {
  std::size_t k = 0;
  for (; k + float_lanes <= FourBitRow::words; k += float_lanes) step(Float(), k);
  if constexpr (FourBitRow::words % float_lanes != 0) step(HalfFloat(), k);
}

/// The transform of blocks: values[g] are the elements g of four words a block. See ReferenceFourBitRow.
template <class D>
HWY_INLINE void transform_blocks(D d, hn::Vec<D>* values) {
  constexpr std::size_t count = FourBitRow::elements_of_word;
  const hn::RebindToUnsigned<D> du;
  // The sign of the upper one of a pair, by which its difference is made: 1, -1, 1, -1 and 1, 1, -1, -1.
  const auto lane = hn::Iota(du, 0);
  const auto one = hn::Set(d, 1.0f);
  const auto odd = hn::Xor(one, hn::BitCast(d, hn::ShiftLeft<31>(lane)));
  const auto upper = hn::Xor(one, hn::BitCast(d, hn::ShiftLeft<31>(hn::ShiftRight<1>(lane))));
  for (std::size_t g = 0; g < count; ++g) values[g] = hn::MulAdd(values[g], odd, hn::Shuffle2301(values[g]));
  for (std::size_t g = 0; g < count; ++g) values[g] = hn::MulAdd(values[g], upper, hn::Shuffle1032(values[g]));
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    for (std::size_t g = 0; g < count; ++g) {
      if ((g & distance) != 0) continue;
      const auto a = values[g], b = values[g + distance];
      values[g] = hn::Add(a, b);
      values[g + distance] = hn::Sub(a, b);
    }
  }
}

/// What is known of a row before it is encoded. The peaks are bits of blocks' largest magnitudes, at each of their
/// words.
struct FourBitPeaks {
  HWY_ALIGN std::uint32_t plain[FourBitRow::words];
  HWY_ALIGN std::uint32_t transformed[FourBitRow::words];
};

/// Transforms a row of elements; `votes` words are in blocks that are better off as they are.
template <ElementType type>
struct TransformWords {
  const Bytes* elements;
  FourBitPeaks& peaks;
  float* transformed;
  std::uint32_t& largest;
  std::size_t& votes;

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t k) const {
    const hn::RebindToUnsigned<D> du;
    hn::Vec<D> values[FourBitRow::elements_of_word];
    auto plain = hn::Zero(du), peak = hn::Zero(du);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g) {
      values[g] = load_elements<type>(d, elements + (k + g * FourBitRow::words) * size_of(type));
      plain = hn::Max(plain, magnitude_bits(d, values[g]));
    }
    transform_blocks(d, values);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g) {
      hn::StoreU(values[g], d, transformed + k + g * FourBitRow::words);
      peak = hn::Max(peak, magnitude_bits(d, values[g]));
    }
    plain = largest_of_words(du, plain);
    peak = largest_of_words(du, peak);
    hn::StoreU(plain, du, peaks.plain + k);
    hn::StoreU(peak, du, peaks.transformed + k);
    largest = std::max(largest, hn::GetLane(hn::MaxOfLanes(du, plain)));
    const auto ratio = hn::Mul(hn::BitCast(d, plain), hn::Set(d, plain_ratio));
    votes += hn::CountTrue(d, hn::Lt(ratio, hn::BitCast(d, peak)));
  }
};

/// The largest finite magnitudes of blocks; `largest`: of all, whether finite or not.
struct FindPeaks {
  const float* values;
  std::uint32_t* peaks;
  std::uint32_t& largest;

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t k) const {
    const hn::RebindToUnsigned<D> du;
    auto peak = hn::Zero(du), all = hn::Zero(du);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g) {
      const auto value = hn::LoadU(d, values + k + g * FourBitRow::words);
      peak = hn::Max(peak, finite_magnitude_bits(d, value));
      all = hn::Max(all, magnitude_bits(d, value));
    }
    hn::StoreU(largest_of_words(du, peak), du, peaks + k);
    largest = std::max(largest, hn::GetLane(hn::MaxOfLanes(du, all)));
  }
};

/// Writes a row in a form, from elements whose blocks' largest finite magnitudes are given at each word.
template <ElementType type, FourBitForm form>
struct EncodeWords {
  const Bytes* elements;
  const std::uint32_t* peaks;
  Bytes* wire;
  std::uint32_t* scales;  ///< at each word

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t k) const {
    constexpr bool marked = form == FourBitForm::marked;
    constexpr WireFormat format = WireFormat::mxfp4;
    const hn::RebindToUnsigned<D> du;
    const auto scale = scales_of<format>(du, hn::LoadU(du, peaks + k),
                                         marked ? largest_marked_element : WireFormatTraits<format>::max_element);
    hn::StoreU(scale, du, scales + k);
    const auto factor = encoding_factors(d, scale);
    auto words = hn::Set(du, four_bit_turned);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g) {
      const auto values = load_elements<type>(d, elements + (k + g * FourBitRow::words) * size_of(type));
      const auto codes = element_codes<format, !marked>(d, values, factor);
      words = hn::Xor(words, hn::ShiftLeftSame(codes, static_cast<int>(g * FourBitRow::code_bits)));
    }
    hn::StoreU(words, du, reinterpret_cast<std::uint32_t*>(wire) + k);
  }
};

template <ElementType type, FourBitForm form>
HWY_INLINE void write_four_bit_row(const Bytes* elements, const std::uint32_t* peaks, Bytes* wire) {
  HWY_ALIGN std::uint32_t scales[FourBitRow::words];
  for_words(EncodeWords<type, form>{elements, peaks, wire, scales});
  for (std::size_t l = 0; l < FourBitRow::blocks; ++l)
    wire[four_bit_scales + l] = static_cast<Bytes>(scales[l * FourBitRow::block_words]);
  wire[four_bit_form_byte] = static_cast<Bytes>(form);
  wire[four_bit_form_byte + 1] = 0;
}

/// Encodes a row of values as it is, once they are clamped as inputs, or as results of a reduction, to `type`; changes
/// them.
template <ElementType type, bool is_result>
HWY_NOINLINE void encode_untransformed_row(float* values, Bytes* wire) {
  const Float d;
  for (std::size_t i = 0; i < four_bit_elements; i += float_lanes)
    hn::StoreU(clamped<WireFormat::mxfp4, type, is_result>(d, hn::LoadU(d, values + i)), d, values + i);
  HWY_ALIGN std::uint32_t peaks[FourBitRow::words];
  std::uint32_t largest = 0;
  for_words(FindPeaks{values, peaks, largest});
  const auto* elements = reinterpret_cast<const Bytes*>(values);
  if (largest < infinity_bits)
    return write_four_bit_row<ElementType::float32, FourBitForm::plain>(elements, peaks, wire);
  write_four_bit_row<ElementType::float32, FourBitForm::marked>(elements, peaks, wire);
}

/// Encodes a full row of input elements.
template <ElementType type>
HWY_INLINE void encode_four_bit_row(const Bytes* elements, Bytes* wire) {
  FourBitPeaks peaks;
  HWY_ALIGN float values[four_bit_elements];
  std::uint32_t largest = 0;
  std::size_t votes = 0;
  for_words(TransformWords<type>{elements, peaks, values, largest, votes});
  if (HWY_UNLIKELY(largest >= std::bit_cast<std::uint32_t>(transform_limit<type>))) {
    const Float d;
    for (std::size_t i = 0; i < four_bit_elements; i += float_lanes)
      hn::Store(load_elements<type>(d, elements + i * size_of(type)), d, values + i);
    return encode_untransformed_row<type, false>(values, wire);
  }
  if (2 * votes > FourBitRow::words) return write_four_bit_row<type, FourBitForm::plain>(elements, peaks.plain, wire);
  write_four_bit_row<ElementType::float32, FourBitForm::transformed>(reinterpret_cast<const Bytes*>(values),
                                                                     peaks.transformed, wire);
}

/// Decodes a row's words; `back`: its elements are transformed back. `consume` as in decode_four_bit_row.
template <FourBitForm form, bool back, class Consumer>
struct DecodeWords {
  const Bytes* wire;
  const Consumer& consume;
  CodeValues<WireFormat::mxfp4, form == FourBitForm::marked> code_values = {};

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t k) const {
    const hn::RebindToUnsigned<D> du;
    const hn::Rebind<Bytes, D> d8;
    HWY_ALIGN Bytes scale_bytes[float_lanes];
    for (std::size_t i = 0; i < hn::MaxLanes(d); ++i)
      scale_bytes[i] = wire[four_bit_scales + (k + i) / FourBitRow::block_words];
    const auto power = scale_powers(d, hn::PromoteTo(du, hn::LoadU(d8, scale_bytes)));
    const auto words =
        hn::Xor(hn::LoadU(du, reinterpret_cast<const std::uint32_t*>(wire) + k), hn::Set(du, four_bit_turned));
    hn::Vec<D> values[FourBitRow::elements_of_word];
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g)
      values[g] = code_values(d, hn::ShiftRightSame(words, static_cast<int>(g * FourBitRow::code_bits)));
    if constexpr (back) transform_blocks(d, values);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g) {
      if constexpr (back) values[g] = hn::Mul(values[g], hn::Set(d, 0x1p-5f));
      consume(d, k + g * FourBitRow::words, hn::Mul(values[g], power));
    }
  }
};

inline FourBitForm four_bit_form(const Bytes* wire) {
  return std::min(static_cast<FourBitForm>(wire[four_bit_form_byte]), FourBitForm::marked);
}

/// Decodes a row and calls consume(tag, index, values) for all of it: values are the elements from `index` on, in
/// vectors of `tag`.
template <class Consumer>
HWY_INLINE void decode_four_bit_row(const Bytes* wire, const Consumer& consume) {
  switch (four_bit_form(wire)) {
    case FourBitForm::transformed:
      return for_words(DecodeWords<FourBitForm::transformed, true, Consumer>{wire, consume});
    case FourBitForm::plain:
      return for_words(DecodeWords<FourBitForm::plain, false, Consumer>{wire, consume});
    case FourBitForm::marked:
      return for_words(DecodeWords<FourBitForm::marked, false, Consumer>{wire, consume});
  }
}

/// What transform_back does to a row in ReferenceFourBitRow.
struct TransformBackWords {
  float* values;

  template <class D>
  HWY_INLINE void operator()(D d, std::size_t k) const {
    hn::Vec<D> block[FourBitRow::elements_of_word];
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g)
      block[g] = hn::LoadU(d, values + k + g * FourBitRow::words);
    transform_blocks(d, block);
    for (std::size_t g = 0; g < FourBitRow::elements_of_word; ++g)
      hn::StoreU(hn::Mul(block[g], hn::Set(d, 0x1p-5f)), d, values + k + g * FourBitRow::words);
  }
};

/// Sums `count` rows at `offset` of their wires; of their coefficients as long as all of them are transformed.
template <ElementType type>
HWY_INLINE void sum_four_bit_rows(const std::byte* const* wires, std::size_t count, std::size_t offset, Bytes* result) {
  using Start = StartAccumulators<ReduceOp::sum>;
  using Add = UpdateAccumulators<ReduceOp::sum>;
  HWY_ALIGN float sums[four_bit_elements];
  const auto row = [&](std::size_t k) { return reinterpret_cast<const Bytes*>(wires[k]) + offset; };
  bool of_coefficients = four_bit_form(row(0)) == FourBitForm::transformed;
  const Start start{sums};
  const Add add{sums};
  if (of_coefficients) {
    for_words(DecodeWords<FourBitForm::transformed, false, Start>{row(0), start});
  } else {
    decode_four_bit_row(row(0), start);
  }
  for (std::size_t k = 1; k < count; ++k) {
    if (of_coefficients && four_bit_form(row(k)) != FourBitForm::transformed) {
      for_words(TransformBackWords{sums});
      of_coefficients = false;
    }
    if (of_coefficients) {
      for_words(DecodeWords<FourBitForm::transformed, false, Add>{row(k), add});
    } else {
      decode_four_bit_row(row(k), add);
    }
  }
  if (!of_coefficients) return encode_untransformed_row<type, true>(sums, result);
  HWY_ALIGN std::uint32_t peaks[FourBitRow::words];
  std::uint32_t largest = 0;
  for_words(FindPeaks{sums, peaks, largest});
  if (HWY_LIKELY(largest < std::bit_cast<std::uint32_t>(transform_limit<type>))) {
    return write_four_bit_row<ElementType::float32, FourBitForm::transformed>(reinterpret_cast<const Bytes*>(sums),
                                                                              peaks, result);
  }
  for_words(TransformBackWords{sums});
  encode_untransformed_row<type, true>(sums, result);
}

}  // namespace airamp::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
