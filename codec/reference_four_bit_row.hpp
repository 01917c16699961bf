// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codec/reference_element.hpp"
#include "codec/reference_word_row.hpp"
#include "codec/wire_format_traits.hpp"
#include "codec/word_row.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// Codes a row with elements of 4 bits of numbers of `type`.
template <ElementType type>
struct ReferenceFourBitRow {
  static constexpr WireFormat format = WireFormat::mxfp4;
  using Row = WordRow<format>;
  using Values = std::array<float, wire_row_elements(format)>;

  /// Encodes values that are clamped already.
  static void encode(const Values& values, std::byte* wire) {
    if (!fits_transform(values)) return encode_untransformed(values, wire);
    Values transformed = values;
    transform(transformed);
    const auto peaks = block_peaks<format>(values), transformed_peaks = block_peaks<format>(transformed);
    std::size_t better_plain = 0;
    for (std::size_t l = 0; l < Row::blocks; ++l) better_plain += peaks[l] * plain_ratio < transformed_peaks[l] ? 1 : 0;
    if (2 * better_plain > Row::blocks) return encode_as(FourBitForm::plain, values, wire);
    encode_as(FourBitForm::transformed, transformed, wire);
  }

  static void decode(const std::byte* wire, Values& values) {
    decode_elements(wire, values);
    if (form_of(wire) == FourBitForm::transformed) transform_back(values);
    apply_scales(wire, values);
  }

  /// What a row's codes stand for: in the form `transformed`, what transform_back makes the elements of.
  static void decode_codes(const std::byte* wire, Values& values) {
    decode_elements(wire, values);
    apply_scales(wire, values);
  }

  static FourBitForm form_of(const std::byte* wire) {
    return std::min(static_cast<FourBitForm>(wire[four_bit_form_byte]), FourBitForm::marked);
  }

  static void encode_untransformed(const Values& values, std::byte* wire) {
    const bool finite = std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
    encode_as(finite ? FourBitForm::plain : FourBitForm::marked, values, wire);
  }

  static void encode_transformed(const Values& transformed, std::byte* wire) {
    encode_as(FourBitForm::transformed, transformed, wire);
  }

  /// Whether all magnitudes are below the limit; NaN is not.
  static bool fits_transform(const Values& values) {
    return std::all_of(values.begin(), values.end(),
                       [](float value) { return std::fabs(value) < transform_limit<type>; });
  }

  static void transform_back(Values& values) {
    transform(values);
    for (float& value : values) value *= 0x1p-5f;
  }

 private:
  static void decode_elements(const std::byte* wire, Values& values) {
    const bool marked = form_of(wire) == FourBitForm::marked;
    for (std::size_t k = 0; k < Row::words; ++k) {
      const std::uint32_t word = load_word(wire, k) ^ four_bit_turned;
      for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
        const auto code = static_cast<std::uint8_t>(word >> (g * Row::code_bits) & 0xfu);
        values[k + g * Row::words] = reference_decode<format>(code, marked);
      }
    }
  }

  static void apply_scales(const std::byte* wire, Values& values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::size_t block = i % Row::words / Row::block_words;
      values[i] *= scale_value(static_cast<std::uint8_t>(wire[four_bit_scales + block]));
    }
  }

  static void encode_as(FourBitForm form, const Values& values, std::byte* wire) {
    const float largest = form == FourBitForm::marked ? largest_marked_element : WireFormatTraits<format>::max_element;
    const auto peaks = block_peaks<format>(values);
    std::fill_n(wire + four_bit_scales, wire_row_bytes - four_bit_scales, std::byte{0});
    for (std::size_t l = 0; l < Row::blocks; ++l)
      wire[four_bit_scales + l] = std::byte{reference_scale<format>(peaks[l], largest)};
    wire[four_bit_form_byte] = static_cast<std::byte>(form);
    for (std::size_t k = 0; k < Row::words; ++k) {
      const auto scale = static_cast<std::uint8_t>(wire[four_bit_scales + k / Row::block_words]);
      std::uint32_t word = 0;
      for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
        const std::uint32_t code = reference_encode<format>(values[k + g * Row::words], scale);
        word |= code << (g * Row::code_bits);
      }
      store_word(wire, k, word ^ four_bit_turned);
    }
  }

  /// The Hadamard transform of every block: applied twice it gives 32 times the elements. Element i of word j of a
  /// block has index 4 * i + j; bit after bit of the index, pairs that differ in it become their sum and their
  /// difference.
  static void transform(Values& values) {
    for (std::size_t bit = 1; bit < Row::block_words * Row::elements_of_word; bit *= 2) {
      const std::size_t distance = bit < Row::block_words ? bit : bit / Row::block_words * Row::words;
      for (std::size_t l = 0; l < Row::blocks; ++l) {
        for (std::size_t index = 0; index < Row::block_words * Row::elements_of_word; ++index) {
          if ((index & bit) != 0) continue;
          const std::size_t place =
              index / Row::block_words * Row::words + l * Row::block_words + index % Row::block_words;
          const float a = values[place], b = values[place + distance];
          values[place] = a + b;
          values[place + distance] = a - b;
        }
      }
    }
  }
};

}  // namespace airamp::codec
