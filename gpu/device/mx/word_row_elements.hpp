// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
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

  /// The largest magnitude of a lane's values; NaN does not count.
  static AIRAMP_DEVICE float largest_of(const float* values) {
    float largest = 0.0f;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) largest = fmaxf(largest, fabsf(values[i]));
    return largest;
  }
};

/// The value of a code that stands in the lowest bits of `bits`, bits above them not counting. Poison codes are numbers
/// here.
template <WireFormat format>
AIRAMP_DEVICE float decode_small(std::uint32_t bits) {
  using Traits = codec::WireFormatTraits<format>;
  // As the upper bits of a binary32, whose exponents have another bias, subnormals included. The sign fills what lies
  // between itself and the magnitude.
  constexpr int aside = Traits::mantissa_bits + 9 - Traits::element_bits;
  constexpr std::uint32_t magnitude = (1u << (Traits::element_bits - 1)) - 1;
  const auto shifted = static_cast<std::int32_t>(bits << (32 - Traits::element_bits)) >> aside;
  const std::uint32_t value =
      static_cast<std::uint32_t>(shifted) & (0x80000000u | magnitude << (23 - Traits::mantissa_bits));
  constexpr float unbias = codec::power_of_two(Traits::min_exponent + 126);
  return float_of_bits(value) * unbias;
}

}  // namespace airamp::gpu::device
