// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "codec/word_row.hpp"
#include "core/element_type.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/element_type.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// How the elements of a row of words (codec/word_row.hpp) are spread over a warp: each lane owns a block, and of it
/// four neighbours at a time, which are one vector of float32 and half of one of other types.
template <WireFormat format, ElementType type>
struct WordRowElements {
  using Row = codec::WordRow<format>;
  using Unit = std::conditional_t<type == ElementType::float32, std::uint32_t, std::uint16_t>;
  static constexpr int words = static_cast<int>(Row::words);
  static constexpr int quads = static_cast<int>(Row::elements_of_word);  // per lane
  static constexpr int per_lane = 4 * quads;
  static constexpr int data_lanes = static_cast<int>(Row::blocks);
  static constexpr int row_elements = words * quads;
  static constexpr int half_vectors = type == ElementType::float32 ? 0 : quads;
  static constexpr int vectors = type == ElementType::float32 ? quads : (quads + 1) / 2;

  /// Of the vector, or half vector, `index`.
  static AIRAMP_DEVICE int offset(int index) { return index * words + 4 * lane_index(); }

  /// Element `quad` of word `i` becomes values[4 * quad + i].
  static AIRAMP_DEVICE void load(const Vector* elements, float* values) {
    if constexpr (type == ElementType::float32) {
      AIRAMP_UNROLL
      for (int i = 0; i < vectors; ++i) to_floats<type>(elements[i], values + 4 * i);
    } else {
      AIRAMP_UNROLL
      for (int i = 0; i < vectors; ++i) {
        float pair[8];
        to_floats<type>(elements[i], pair);
        AIRAMP_UNROLL
        for (int k = 0; k < 8; ++k)
          if (8 * i + k < per_lane) values[8 * i + k] = pair[k];
      }
    }
  }

  static AIRAMP_DEVICE void store(const float* values, Vector* elements) {
    if constexpr (type == ElementType::float32) {
      AIRAMP_UNROLL
      for (int i = 0; i < vectors; ++i) elements[i] = from_floats<type>(values + 4 * i);
    } else {
      AIRAMP_UNROLL
      for (int i = 0; i < vectors; ++i) {
        float pair[8];
        AIRAMP_UNROLL
        for (int k = 0; k < 8; ++k) pair[k] = 8 * i + k < per_lane ? values[8 * i + k] : 0.0f;
        elements[i] = from_floats<type>(pair);
      }
    }
  }
};

/// The value of a code that stands in the lowest bits of `bits`, bits above them not counting. Poison codes are numbers
/// here.
template <WireFormat format>
AIRAMP_DEVICE float decode_small(std::uint32_t bits) {
  using Traits = codec::WireFormatTraits<format>;
  constexpr std::uint32_t sign_bit = 1u << (Traits::element_bits - 1);
  // As the upper bits of a binary32, whose exponents have another bias, subnormals included.
  const std::uint32_t magnitude = (bits & (sign_bit - 1)) << (23 - Traits::mantissa_bits);
  const std::uint32_t sign = (bits & sign_bit) << (32 - Traits::element_bits);
  constexpr float unbias = codec::power_of_two(Traits::min_exponent + 126);
  return float_of_bits(magnitude | sign) * unbias;
}

}  // namespace airamp::gpu::device
