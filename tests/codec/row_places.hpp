// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Where elements and scales lie in a row, written from the page of the formats (docs/codecs.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/wire_format.hpp"
#include "tests/codec/codec_test_support.hpp"

namespace airamp::codec::test {

/// Bits of a row from bit `first` on, lowest first; the bits of byte k are bits 8k to 8k+7.
inline unsigned bits_at(const std::byte* row, std::size_t first, std::size_t count) {
  unsigned bits = 0;
  for (std::size_t i = 0; i < count; ++i)
    bits |= (static_cast<unsigned>(row[(first + i) / 8]) >> ((first + i) % 8) & 1u) << i;
  return bits;
}

inline void set_bits(std::byte* row, std::size_t first, std::size_t count, unsigned bits) {
  for (std::size_t i = 0; i < count; ++i) {
    std::byte& byte = row[(first + i) / 8];
    const auto mask = std::byte{1} << ((first + i) % 8);
    byte = (bits >> i & 1u) != 0 ? byte | mask : byte & ~mask;
  }
}

inline std::size_t bits_of_element(WireFormat format) {
  switch (format) {
    case WireFormat::mxfp6_e2m3:
    case WireFormat::mxfp6_e3m2:
      return 6;
    case WireFormat::mxfp4:
      return 4;
    default:
      return 8;
  }
}

/// The bit at which element `index` of a row begins.
inline std::size_t place_of(WireFormat format, std::size_t index) {
  const std::size_t bits = bits_of_element(format);
  if (bits == 8) {
    const std::size_t half = index / 248, in_half = index % 248;
    return 8 * (16 * (in_half / 8) + 8 * half + in_half % 8);
  }
  const std::size_t words = bits == 6 ? 128 : 120;
  return 32 * (index % words) + bits * (index / words);
}

/// The code of element `index` of a row, as its element format has it.
inline unsigned code_at(const std::byte* row, WireFormat format, std::size_t index) {
  const unsigned bits = bits_at(row, place_of(format, index), bits_of_element(format));
  return format == WireFormat::mxfp4 ? bits ^ 7u : bits;
}

inline void set_code(std::byte* row, WireFormat format, std::size_t index, unsigned code) {
  set_bits(row, place_of(format, index), bits_of_element(format), format == WireFormat::mxfp4 ? code ^ 7u : code);
}

/// The blocks of a row: the indices of the elements that share a scale, in the order of the scales.
inline std::vector<std::vector<std::size_t>> blocks_of(WireFormat format) {
  std::vector<std::vector<std::size_t>> blocks;
  if (bits_of_element(format) == 8) {
    for (std::size_t k = 0; k < 16; ++k) {
      std::vector<std::size_t>& block = blocks.emplace_back();
      for (std::size_t i = 0; i < (k / 2 == 7 ? 24u : 32u); ++i) block.push_back(k % 2 * 248 + k / 2 * 32 + i);
    }
    return blocks;
  }
  const std::size_t words = bits_of_element(format) == 6 ? 128 : 120;
  for (std::size_t l = 0; l < words / 4; ++l) {
    std::vector<std::size_t>& block = blocks.emplace_back();
    for (std::size_t first = 4 * l; first < wire_row_elements(format); first += words) {
      for (std::size_t i = 0; i < 4; ++i) block.push_back(first + i);
    }
  }
  return blocks;
}

/// The block of element `index` of a row.
inline std::size_t block_of(WireFormat format, std::size_t index) {
  const std::size_t bits = bits_of_element(format);
  if (bits == 8) return index % 248 / 32 * 2 + index / 248;
  return index % (bits == 6 ? 128 : 120) / 4;
}

/// The scale byte of block `block` of a row.
inline unsigned scale_at(const std::byte* row, WireFormat format, std::size_t block) {
  if (bits_of_element(format) == 8) return static_cast<unsigned>(row[496 + block]);
  if (bits_of_element(format) == 4) return static_cast<unsigned>(row[480 + block]);
  unsigned scale = 0;
  for (std::size_t i = 0; i < 4; ++i) scale |= bits_at(row, 32 * (4 * block + i) + 30, 2) << (2 * i);
  return scale;
}

inline void set_scale(std::byte* row, WireFormat format, std::size_t block, unsigned scale) {
  if (bits_of_element(format) == 8) {
    row[496 + block] = static_cast<std::byte>(scale);
  } else if (bits_of_element(format) == 4) {
    row[480 + block] = static_cast<std::byte>(scale);
  } else {
    for (std::size_t i = 0; i < 4; ++i) set_bits(row, 32 * (4 * block + i) + 30, 2, scale >> (2 * i));
  }
}

}  // namespace airamp::codec::test
