// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "codec/byte_row.hpp"
#include "codec/wire_format_traits.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "core/wire_format.hpp"
#include "gpu/device/arithmetic.hpp"
#include "gpu/device/element_type.hpp"
#include "gpu/device/mx/mx_block.hpp"
#include "gpu/device/mx/mx_element.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Block-scaled 8-bit elements, the bit-exact twin of host_reference_codec. A warp codes a row: lanes 0-30 hold 8
/// elements of either half, lane 31 the scales. Four lanes share a block of each half.
///
/// The interface of a codec: all 32 lanes call its functions together. `encode` takes the lane's `vectors` vectors of
/// elements (zeros in lanes from data_lanes on) and gives its 16 bytes of the row, `decode` the reverse. A reduction
/// calls `start` with rank 0's bytes, `add` with those of the others and `finish`, which encodes the result.
template <WireFormat format, ElementType type>
struct MxCodec {
  using Unit = std::conditional_t<type == ElementType::float32, std::uint32_t, std::uint16_t>;
  using Accumulator = float;
  static constexpr int vectors = type == ElementType::float32 ? 4 : 2;  // of elements, per lane and row
  static constexpr int half_vectors = 0;  // or so many pieces of half a vector, where elements lie so far apart
  static constexpr int data_lanes = 31;
  static constexpr int row_elements = static_cast<int>(codec::byte_row_elements);
  static constexpr int width = 16;  // elements per lane and row
  static constexpr bool wide = false;
  static constexpr bool any_bits = false;  ///< but never a word of all ones: see any_bits.hpp

  /// Where in the row the lane's vector (or half vector) `index` begins, in elements.
  static AIRAMP_DEVICE int offset(int index) {
    constexpr int per_half = vectors / 2;
    return index / per_half * static_cast<int>(codec::half_row_elements) + lane_index() * 8 +
           index % per_half * (8 / per_half);
  }

  static AIRAMP_DEVICE Vector encode(const Vector* elements) {
    float values[width];
    AIRAMP_UNROLL
    for (int i = 0; i < vectors; ++i) to_floats<type>(elements[i], values + i * (width / vectors));
    return encode_values<false>(values);
  }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) {
    float values[width];
    decode_values(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < vectors; ++i) elements[i] = from_floats<type>(values + i * (width / vectors));
    if (has_poison(row)) {
      AIRAMP_UNROLL
      for (int i = 0; i < vectors; ++i) make_nans_quiet<type>(elements[i]);
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
      float first_scale, second_scale;
      get_scales(row, first_scale, second_scale);
      elements_of(row, values);
      // The product is exact, so this rounds as the addition of the decoded value does.
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i)
        accumulators[i] = fmaf(values[i], i < width / 2 ? first_scale : second_scale, accumulators[i]);
    } else {
      decode_values(row, values);
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
    }
  }

  static AIRAMP_DEVICE Vector finish(float* accumulators) {
    if (lane_index() >= data_lanes) {
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) accumulators[i] = 0.0f;
    }
    return encode_values<true>(accumulators);
  }

 private:
  /// The largest magnitudes of either half; NaN does not count.
  static AIRAMP_DEVICE void find_largest(const float* values, float& first, float& second) {
    first = 0.0f;
    second = 0.0f;
    AIRAMP_UNROLL
    for (int i = 0; i < width / 2; ++i) {
      first = fmaxf(first, fabsf(values[i]));
      second = fmaxf(second, fabsf(values[width / 2 + i]));
    }
  }

  template <bool is_result>
  static AIRAMP_DEVICE Vector encode_values(float* values) {
    constexpr float limit = codec::largest_magnitude<format, type>();
    float first, second;
    find_largest(values, first, second);
    if (any(fmaxf(first, second) > limit)) {
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) values[i] = repaired<format, type, is_result>(values[i]);
      find_largest(values, first, second);
    }
    // The scale of the largest magnitude is the largest scale.
    std::uint32_t scales = scale_byte<format>(first) | scale_byte<format>(second) << 16;
    scales = maximum_of_halves(scales, shuffle_xor(scales, 1));
    scales = maximum_of_halves(scales, shuffle_xor(scales, 2));
    Vector row;
    encode_half(values, scale_power(254u - (scales & 0xffu)), row.word[0], row.word[1]);
    encode_half(values + width / 2, scale_power(254u - (scales >> 16)), row.word[2], row.word[3]);
    put_scales(row, (scales | scales >> 8) & 0xffffu);
    return row;
  }

  static AIRAMP_DEVICE void encode_half(const float* values, float inverse, std::uint32_t& low, std::uint32_t& high) {
    float scaled[width / 2];
    AIRAMP_UNROLL
    for (int i = 0; i < width / 2; ++i) scaled[i] = values[i] * inverse;
    low = encode_pair<format>(scaled[0], scaled[1]) | encode_pair<format>(scaled[2], scaled[3]) << 16;
    high = encode_pair<format>(scaled[4], scaled[5]) | encode_pair<format>(scaled[6], scaled[7]) << 16;
  }

  /// Gathers the scales of the blocks (two bytes, first half first, equal in four lanes) in lane 31.
  static AIRAMP_DEVICE void put_scales(Vector& row, std::uint32_t scales) {
    scales |= shuffle_down(scales, 4) << 16;
    std::uint32_t gathered[4];
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) gathered[i] = shuffle(scales, 8 * i);
    if (lane_index() == data_lanes) {
      AIRAMP_UNROLL
      for (int i = 0; i < 4; ++i) row.word[i] = gathered[i];
    }
  }

  static AIRAMP_DEVICE void get_scales(const Vector& row, float& first, float& second) {
    std::uint32_t words[4];
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) words[i] = shuffle(row.word[i], data_lanes);
    const int lane = lane_index();
    const std::uint32_t low = (lane & 8) != 0 ? words[1] : words[0];
    const std::uint32_t high = (lane & 8) != 0 ? words[3] : words[2];
    const std::uint32_t scales = ((lane & 16) != 0 ? high : low) >> ((lane & 4) != 0 ? 16 : 0);
    first = scale_power(scales & 0xffu);
    second = scale_power(scales >> 8 & 0xffu);
  }

  static AIRAMP_DEVICE void elements_of(const Vector& row, float* values) {
    AIRAMP_UNROLL
    for (int i = 0; i < width / 2; ++i)
      decode_pair<format>(row.word[i / 2] >> (16 * (i & 1)), values[2 * i], values[2 * i + 1]);
  }

  static AIRAMP_DEVICE void decode_values(const Vector& row, float* values) {
    float first_scale, second_scale;
    get_scales(row, first_scale, second_scale);
    elements_of(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) values[i] *= i < width / 2 ? first_scale : second_scale;
  }

  /// Whether one of the lane's elements is poison.
  static AIRAMP_DEVICE bool has_poison(const Vector& row) {
    std::uint32_t carried = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) carried |= (row.word[i] & 0x7f7f7f7fu) + 0x01010101u;
    return (carried & 0x80808080u) != 0 && lane_index() < data_lanes;
  }
};

}  // namespace airamp::gpu::device
