// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "codec/reference_element.hpp"
#include "codec/wire_format_traits.hpp"
#include "codec/word_row.hpp"
#include "core/wire_format.hpp"

namespace airamp::codec {

/// Word `index` of a row, whatever the order of this machine's bytes.
inline std::uint32_t load_word(const std::byte* row, std::size_t index) {
  std::uint32_t word = 0;
  for (std::size_t i = 0; i < 4; ++i) word |= static_cast<std::uint32_t>(row[4 * index + i]) << (8 * i);
  return word;
}

inline void store_word(std::byte* row, std::size_t index, std::uint32_t word) {
  for (std::size_t i = 0; i < 4; ++i) row[4 * index + i] = static_cast<std::byte>(word >> (8 * i));
}

/// The largest finite magnitude of each block of a row of words.
template <WireFormat format>
std::array<float, WordRow<format>::blocks> block_peaks(const std::array<float, wire_row_elements(format)>& values) {
  using Row = WordRow<format>;
  std::array<float, Row::blocks> peaks{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    float& peak = peaks[i % Row::words / Row::block_words];
    if (std::isfinite(values[i])) peak = std::max(peak, std::fabs(values[i]));
  }
  return peaks;
}

/// Codes a row with elements of 6 bits.
template <WireFormat format>
struct ReferenceSixBitRow {
  using Row = WordRow<format>;
  using Values = std::array<float, wire_row_elements(format)>;

  /// Encodes values that are clamped already.
  static void encode(const Values& values, std::byte* wire) {
    const auto peaks = block_peaks<format>(values);
    for (std::size_t k = 0; k < Row::words; ++k) {
      const std::uint8_t scale = reference_scale<format>(peaks[k / Row::block_words]);
      std::uint32_t word = static_cast<std::uint32_t>(scale) >> (2 * (k % Row::block_words)) << 30;
      for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
        const std::uint32_t code = reference_encode<format>(values[k + g * Row::words], scale);
        word |= code << (g * Row::code_bits);
      }
      store_word(wire, k, word);
    }
  }

  static void decode(const std::byte* wire, Values& values) {
    for (std::size_t k = 0; k < Row::words; ++k) {
      std::uint32_t scale = 0;
      for (std::size_t i = 0; i < Row::block_words; ++i)
        scale |= load_word(wire, k / Row::block_words * Row::block_words + i) >> 30 << (2 * i);
      for (std::size_t g = 0; g < Row::elements_of_word; ++g) {
        const std::uint32_t code = load_word(wire, k) >> (g * Row::code_bits) & 0x3fu;
        values[k + g * Row::words] =
            reference_decode<format>(static_cast<std::uint8_t>(code)) * scale_value(static_cast<std::uint8_t>(scale));
      }
    }
  }
};

}  // namespace airamp::codec
