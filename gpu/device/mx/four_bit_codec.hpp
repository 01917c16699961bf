// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Rows with elements of 4 bits, the bit-exact twin of host_reference_codec. Lanes 0-29 have a block of 32 elements
/// each, lanes 30 and 31 the scales and the row's form. The interface is that of MxCodec. What a row's form decides its
/// warp decides alone, around no operation of the warp.
template <ElementType type>
struct FourBitCodec : WordRowElements<WireFormat::mxfp4, type> {
  using Elements = WordRowElements<WireFormat::mxfp4, type>;
  using Accumulator = float;
  using Elements::data_lanes;
  using Elements::per_lane;
  static constexpr int width = per_lane + 1;  // the last one: 0 as long as the others are sums of coefficients
  static constexpr bool wide = false;
  static constexpr bool any_bits = false;

  static AIRAMP_DEVICE Vector encode(const Vector* elements) {
    float values[per_lane];
    Elements::load(elements, values);
    std::uint32_t peak = peak_of(values);
    const bool too_large = any_in_warp(peak >= limit_bits());
    if (too_large) {
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) values[i] = repaired<format, type, false>(values[i]);
    } else {
      transform(values);
    }
    const std::uint32_t plain_peak = peak;
    peak = peak_of(values);
    const bool marked = any_in_warp(peak >= infinity_bits);
    const std::uint32_t better_plain = ballot(float_of_bits(plain_peak) * codec::plain_ratio < float_of_bits(peak));
    Form form = Form::transformed;
    if (too_large) {
      form = marked ? Form::marked : Form::plain;
    } else if (2 * count_bits(better_plain) > data_lanes) {
      form = Form::plain;
      Elements::load(elements, values);  // anew: a lane has no registers for them and their transform
      peak = plain_peak;
    }
    return put(form, values, peak);
  }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) {
    float values[per_lane];
    const Form form = form_of(row);
    decode_values(row, form, values);
    Elements::store(values, elements);
    if (form == Form::marked) {
      AIRAMP_UNROLL
      for (int i = 0; i < Elements::vectors; ++i) make_nans_quiet<type>(elements[i]);
    }
  }

  static AIRAMP_DEVICE void start(ReduceOp op, float* accumulators, const Vector& row) {
    const Form form = form_of(row);
    const bool of_coefficients = op == ReduceOp::sum && form == Form::transformed;
    accumulators[per_lane] = of_coefficients ? 0.0f : 1.0f;
    decode_values(row, of_coefficients ? Form::plain : form, accumulators);
    if (op != ReduceOp::sum) return;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) accumulators[i] = 0.0f + accumulators[i];
  }

  static AIRAMP_DEVICE void add(ReduceOp op, float* accumulators, const Vector& row) {
    const Form form = form_of(row);
    float values[per_lane];
    if (accumulators[per_lane] == 0.0f && form != Form::transformed) {
      transform_back(accumulators);
      accumulators[per_lane] = 1.0f;
    }
    decode_values(row, accumulators[per_lane] == 0.0f ? Form::plain : form, values);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i)
      accumulators[i] = op == ReduceOp::sum ? accumulators[i] + values[i] : combine(op, accumulators[i], values[i]);
  }

  static AIRAMP_DEVICE Vector finish(float* accumulators) {
    if (lane_index() >= data_lanes) {
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) accumulators[i] = 0.0f;
    }
    const bool too_large = any_in_warp(peak_of(accumulators) >= limit_bits());
    const bool of_coefficients = accumulators[per_lane] == 0.0f && !too_large;
    if (accumulators[per_lane] == 0.0f && too_large) transform_back(accumulators);
    return encode_result(accumulators, of_coefficients);
  }

 private:
  using Form = codec::FourBitForm;
  static constexpr WireFormat format = WireFormat::mxfp4;
  using Traits = codec::WireFormatTraits<format>;
  static constexpr std::uint32_t infinity_bits = 0x7f800000u;

  static AIRAMP_DEVICE std::uint32_t limit_bits() { return bits_of(codec::transform_limit<type>); }

  /// The bits of the largest magnitude; what is not finite is larger than all numbers.
  static AIRAMP_DEVICE std::uint32_t peak_of(const float* values) {
    std::uint32_t peak = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const std::uint32_t magnitude = bits_of(values[i]) & 0x7fffffffu;
      peak = magnitude > peak ? magnitude : peak;
    }
    return peak;
  }

  static AIRAMP_DEVICE std::uint32_t finite_peak_of(const float* values) {
    std::uint32_t peak = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const std::uint32_t magnitude = bits_of(values[i]) & 0x7fffffffu;
      if (magnitude > peak && magnitude < infinity_bits) peak = magnitude;
    }
    return peak;
  }

  static AIRAMP_DEVICE void transform(float* values) {
    AIRAMP_UNROLL
    for (int bit = 1; bit < per_lane; bit *= 2) {
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) {
        if ((i & bit) != 0) continue;
        const float a = values[i], b = values[i + bit];
        values[i] = a + b;
        values[i + bit] = a - b;
      }
    }
  }

  static AIRAMP_DEVICE void transform_back(float* values) {
    transform(values);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) values[i] *= 0x1p-5f;
  }

  /// Encodes results as they are, or, if they are `of_coefficients`, as those of a transformed row, which fit it.
  static AIRAMP_DEVICE Vector encode_result(float* values, bool of_coefficients) {
    if (!of_coefficients) {
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) values[i] = repaired<format, type, true>(values[i]);
    }
    const std::uint32_t peak = peak_of(values);
    const bool marked = any_in_warp(peak >= infinity_bits);
    return put(of_coefficients ? Form::transformed : marked ? Form::marked : Form::plain, values, peak);
  }

  static AIRAMP_DEVICE Vector put(Form form, const float* values, std::uint32_t peak) {
    Vector row;
    float max_element = Traits::max_element;
    if (form == Form::marked) {
      max_element = codec::largest_marked_element;
      peak = finite_peak_of(values);
    }
    const std::uint32_t scale = put_codes(row, values, peak, max_element);
    const int lane = lane_index();
    put_scales(row, lane < data_lanes ? scale : lane == data_lanes ? static_cast<std::uint32_t>(form) : 0u);
    return row;
  }

  /// Returns the scale.
  static AIRAMP_DEVICE std::uint32_t put_codes(Vector& row, const float* values, std::uint32_t peak,
                                               float max_element) {
    const std::uint32_t scale = scale_byte<format>(float_of_bits(peak), max_element);
    const float factor = scale_power(254u - scale);
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) {
      std::uint32_t word = codec::four_bit_turned;
      AIRAMP_UNROLL
      for (int g = 0; g < Elements::quads; ++g) word ^= software_encode<format>(values[4 * g + w] * factor) << (4 * g);
      row.word[w] = word;
    }
    return scale;
  }

  /// Gathers one byte of each lane in lanes 30 and 31.
  static AIRAMP_DEVICE void put_scales(Vector& row, std::uint32_t byte) {
    const int lane = lane_index();
    std::uint32_t bytes = byte << (8 * (lane & 3));
    bytes |= shuffle_xor(bytes, 1);
    bytes |= shuffle_xor(bytes, 2);
    std::uint32_t gathered[4];
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) gathered[i] = shuffle(bytes, (lane & 1) * 16 + 4 * i);
    if (lane >= data_lanes) {
      AIRAMP_UNROLL
      for (int i = 0; i < 4; ++i) row.word[i] = gathered[i];
    }
  }

  static AIRAMP_DEVICE float get_scale(const Vector& row) {
    const int lane = lane_index();
    std::uint32_t words[4];
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) words[i] = shuffle(row.word[i], data_lanes + (lane >> 4));
    const std::uint32_t low = (lane & 4) != 0 ? words[1] : words[0];
    const std::uint32_t high = (lane & 4) != 0 ? words[3] : words[2];
    return scale_power(((lane & 8) != 0 ? high : low) >> (8 * (lane & 3)) & 0xffu);
  }

  static AIRAMP_DEVICE Form form_of(const Vector& row) {
    const std::uint32_t byte = shuffle(row.word[3], 31) >> 16 & 0xffu;
    return byte == 0 ? Form::transformed : byte == 1 ? Form::plain : Form::marked;
  }

  /// The elements of a row of a form.
  static AIRAMP_DEVICE void decode_values(const Vector& row, Form form, float* values) {
    const float power = get_scale(row);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i)
      values[i] = decode_small<format>((row.word[i % 4] ^ codec::four_bit_turned) >> (4 * (i / 4)));
    if (form == Form::transformed) transform_back(values);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) values[i] *= power;
    if (form != Form::marked) return;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const std::uint32_t code = (row.word[i % 4] ^ codec::four_bit_turned) >> (4 * (i / 4));
      if ((code & 0x7u) == Traits::poison_code) values[i] = float_of_bits(codec::quiet_nan_float32);
    }
  }
};

}  // namespace airamp::gpu::device
