// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "codec/codec.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// The row of the formats with several elements in a word of 32 bits (stored with its lowest byte first).
///
/// Word k holds elements k, k + words, k + 2 * words, ... from its lowest bit on. Words 4*l ... 4*l+3, which a lane of
/// a warp owns, are a block: their elements share a scale. So each element is coded where it lies, and nothing need be
/// moved between the lanes of a warp or of a vector.
///
/// Elements of 6 bits: 128 words of five; the two bits that are left in word 4*l+i are bits 2*i and 2*i+1 of the scale.
/// Elements of 4 bits: 120 words of eight; the scale of block l is byte 480+l, byte 510 the row's FourBitForm, and byte
/// 511 is 0.
template <WireFormat format>
struct WordRow {
  static constexpr std::size_t code_bits = WireFormatTraits<format>::element_bits;
  static_assert(code_bits == 6 || code_bits == 4);
  static constexpr std::size_t words = code_bits == 6 ? 128 : 120;
  static constexpr std::size_t elements_of_word = 32 / code_bits;
  static constexpr std::size_t block_words = 4;
  static constexpr std::size_t blocks = words / block_words;
  static_assert(words * elements_of_word == wire_row_elements(format));
};

inline constexpr std::size_t four_bit_scales = 480;     ///< the first scale's place in the row
inline constexpr std::size_t four_bit_form_byte = 510;  ///< likewise the form's

/// What the codes of a row with elements of 4 bits mean.
enum class FourBitForm : std::uint8_t {
  transformed,  ///< blocks went through the transform
  plain,        ///< the elements themselves
  marked  ///< likewise, with elements of at most 4: the code of 6 marks what is not finite. So is all that follows.
};

/// In every code these bits are turned over: the one code that is never sent, -0, is all ones then.
inline constexpr std::uint32_t four_bit_turned = 0x77777777u;

/// Elements of a marked row are not larger.
inline constexpr float largest_marked_element = 4.0f;

/// Rows with magnitudes from this on are not transformed: no sum of the transform overflows, and a decoded element, at
/// most 11.4 times the block's largest magnitude, is finite.
template <ElementType type>
inline constexpr float transform_limit = type == ElementType::float16 ? 0x1p12f : 0x1p100f;

/// A block is better off as it is if its transform's largest magnitude exceeds so many times that of its elements:
/// smooth data end there. A row is plain if that holds for more than half of its blocks.
inline constexpr float plain_ratio = 8.0f;

}  // namespace airamp::codec
