// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>

#include "codec/wire_format_traits.hpp"
#include "codec/word_row.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/arithmetic.hpp"
#include "gpu/device/mx/mx_block.hpp"
#include "gpu/device/mx/mx_element.hpp"
#include "gpu/device/mx/word_row_elements.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Rows with elements of 6 bits, the bit-exact twin of host_reference_codec. Each lane has a block of 20 elements and
/// its scale to itself. The interface is that of MxCodec.
template <WireFormat format, ElementType type>
struct SixBitCodec : WordRowElements<format, type> {
  using Elements = WordRowElements<format, type>;
  using Accumulator = float;
  using Elements::per_lane;
  using Elements::quads;
  static constexpr int width = per_lane;
  static constexpr bool wide = false;
  static constexpr bool any_bits = false;

  static AIRAMP_DEVICE Vector encode(const Vector* elements) {
    float values[width];
    Elements::load(elements, values);
    return encode_values<false>(values);
  }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) {
    float values[width];
    decode_values(row, values);
    Elements::store(values, elements);
    if (has_poison(row)) {
      AIRAMP_UNROLL
      for (int i = 0; i < Elements::vectors; ++i) make_nans_quiet<type>(elements[i]);
    }
  }

  static AIRAMP_DEVICE void start(ReduceOp op, float* accumulators, const Vector& row) {
    if (op != ReduceOp::sum) return decode_values(row, accumulators);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) accumulators[i] = 0.0f;
    add(op, accumulators, row);
  }

  static AIRAMP_DEVICE void add(ReduceOp op, float* accumulators, const Vector& row) {
    float values[width];
    if (op == ReduceOp::sum) {
      const float power = get_scale(row);
      elements_of(row, values);
      // The product is exact, so this rounds as the addition of the decoded value does.
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) accumulators[i] = fmaf(values[i], power, accumulators[i]);
    } else {
      decode_values(row, values);
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
    }
  }

  static AIRAMP_DEVICE Vector finish(float* accumulators) { return encode_values<true>(accumulators); }

 private:
  using Traits = codec::WireFormatTraits<format>;

  template <bool is_result>
  static AIRAMP_DEVICE Vector encode_values(float* values) {
    float largest = Elements::largest_of(values);
    if (largest > codec::largest_magnitude<format, type>()) {
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) values[i] = repaired<format, type, is_result>(values[i]);
      largest = Elements::largest_of(values);
    }
    const std::uint32_t scale = scale_byte<format>(largest);
    const float factor = scale_power(254u - scale) * code_unit;
    Vector row;
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) {
      std::uint32_t word = scale >> (2 * w) << 30;
      AIRAMP_UNROLL
      for (int g = 0; g < quads; g += 2) {
        const float high = g + 1 < quads ? values[4 * (g + 1) + w] : 0.0f;
        word |= encode_two(values[4 * g + w] * factor, high * factor) << (6 * g);
      }
      row.word[w] = word;
    }
    return row;
  }

  // Where there are instructions for it, elements become codes by way of the 8-bit format with as long a mantissa: its
  // smallest numbers are those of 6 bits, in other units.
#if AIRAMP_HARDWARE_FP8
  static constexpr WireFormat wider =
      format == WireFormat::mxfp6_e2m3 ? WireFormat::mxfp8_e4m3 : WireFormat::mxfp8_e5m2;
  static constexpr float code_unit =
      codec::power_of_two(codec::WireFormatTraits<wider>::min_exponent - Traits::min_exponent);
#else
  static constexpr float code_unit = 1.0f;
#endif

  /// The codes of two elements in that unit, the first in the lowest bits.
  static AIRAMP_DEVICE std::uint32_t encode_two(float low, float high) {
#if AIRAMP_HARDWARE_FP8
    const std::uint32_t codes = encode_pair<wider>(low, high);
    return (codes & 0x1fu) | (codes >> 2 & 0x7e0u) | (codes >> 4 & 0x800u);
#else
    return software_encode<format>(low) | software_encode<format>(high) << 6;
#endif
  }

  static AIRAMP_DEVICE float get_scale(const Vector& row) {
    std::uint32_t scale = 0;
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) scale |= row.word[w] >> 30 << (2 * w);
    return scale_power(scale);
  }

  /// Without their scale.
  static AIRAMP_DEVICE void elements_of(const Vector& row, float* values) {
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) values[i] = decode_small<format>(row.word[i % 4] >> (6 * (i / 4)));
    if (!has_poison(row)) return;
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) {
      const std::uint32_t magnitude = row.word[i % 4] >> (6 * (i / 4)) & 0x1fu;
      if (magnitude == Traits::poison_code) values[i] = float_of_bits(codec::quiet_nan_float32);
    }
  }

  static AIRAMP_DEVICE void decode_values(const Vector& row, float* values) {
    const float power = get_scale(row);
    elements_of(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) values[i] *= power;
  }

  /// Whether one of the lane's elements is poison: adding 1 to its magnitude then reaches the place of its sign.
  static AIRAMP_DEVICE bool has_poison(const Vector& row) {
    constexpr std::uint32_t ones = 0x01041041u;
    std::uint32_t carried = 0;
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) carried |= (row.word[w] & ones * 0x1fu) + ones;
    return (carried & ones * 0x20u) != 0;
  }
};

}  // namespace airamp::gpu::device
