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
    Block block{Form::transformed, Elements::largest_of(values), 0u};
    transform(values);
    // What is not finite shows in the first sum, which is that of all elements.
    const bool too_large = !(block.peak < codec::transform_limit<type> && fabsf(values[0]) < infinity());
    const float transformed_peak = Elements::largest_of(values);
    const std::uint32_t better_plain = ballot(block.peak * codec::plain_ratio < transformed_peak);
    if (any_in_warp(too_large)) {
      Elements::load(elements, values);  // anew: a lane has no registers for them and their transform
      block = repair<false>(values);
    } else if (2 * count_bits(better_plain) > data_lanes) {
      Elements::load(elements, values);
      block.form = Form::plain;
    } else {
      block.peak = transformed_peak;
    }
    return put(block, values);
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
    if (op != ReduceOp::sum) {
      accumulators[per_lane] = 1.0f;
      return decode_values(row, form_of(row), accumulators);
    }
    accumulators[per_lane] = form_of(row) == Form::transformed ? 0.0f : 1.0f;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) accumulators[i] = 0.0f;
    add(op, accumulators, row);
  }

  static AIRAMP_DEVICE void add(ReduceOp op, float* accumulators, const Vector& row) {
    const Form form = form_of(row);
    float values[per_lane];
    if (accumulators[per_lane] == 0.0f && form != Form::transformed) {
      transform_back(accumulators);
      accumulators[per_lane] = 1.0f;
    }
    if (accumulators[per_lane] == 0.0f) {
      const float power = get_scale(row) * raw_unit;
      raw_elements(row, values);
      // The product is exact, so this rounds as the addition of the coefficient does.
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) accumulators[i] = fmaf(values[i], power, accumulators[i]);
      return;
    }
    decode_values(row, form, values);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i)
      accumulators[i] = op == ReduceOp::sum ? accumulators[i] + values[i] : combine(op, accumulators[i], values[i]);
  }

  static AIRAMP_DEVICE Vector finish(float* accumulators) {
    if (lane_index() >= data_lanes) {
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) accumulators[i] = 0.0f;
    }
    Block block{Form::transformed, Elements::largest_of(accumulators), 0u};
    const bool of_coefficients = accumulators[per_lane] == 0.0f;  // finite ones
    const bool too_large = any_in_warp(block.peak >= codec::transform_limit<type>);
    if (of_coefficients && too_large) transform_back(accumulators);
    if (!of_coefficients || too_large) block = repair<true>(accumulators);
    return put(block, accumulators);
  }

 private:
  using Form = codec::FourBitForm;
  static constexpr WireFormat format = WireFormat::mxfp4;
  using Traits = codec::WireFormatTraits<format>;
  static constexpr std::uint32_t infinity_bits = 0x7f800000u;

  /// What is known of a lane's values before they are encoded.
  struct Block {
    Form form;               ///< of the row
    float peak;              ///< the largest magnitude
    std::uint32_t unfinite;  ///< bit i: value i is to be marked, and is 0 itself
  };

  static constexpr float raw_unit = 0x1p14f;  ///< of what raw_elements gives

  static AIRAMP_DEVICE float infinity() { return float_of_bits(infinity_bits); }

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

  /// Makes untransformed values such that they can be encoded.
  template <bool is_result>
  static AIRAMP_DEVICE Block repair(float* values) {
    std::uint32_t unfinite = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const float value = repaired<format, type, is_result>(values[i]);
      const bool finite = fabsf(value) < infinity();
      if (!finite) unfinite |= 1u << i;
      values[i] = finite ? value : 0.0f;
    }
    return {any_in_warp(unfinite != 0) ? Form::marked : Form::plain, Elements::largest_of(values), unfinite};
  }

  static AIRAMP_DEVICE Vector put(const Block& block, const float* values) {
    const float max_element = block.form == Form::marked ? codec::largest_marked_element : Traits::max_element;
    const std::uint32_t scale = scale_byte<format>(block.peak, max_element);
    const float factor = scale_power(254u - scale);
    Vector row;
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) {
      std::uint32_t codes = 0;
      std::uint32_t signs = 0;
      AIRAMP_UNROLL
      for (int g = 0; g < Elements::quads; ++g) {
        const float value = values[4 * g + w] * factor;
        codes += encode_magnitude(value) << (4 * g);
        signs |= (bits_of(value) & 0x80000000u) >> (28 - 4 * g);
      }
      // There is no -0. The sum carries into the place of the sign of what is not 0.
      row.word[w] = (codes | (signs & (codes + 0x77777777u))) ^ codec::four_bit_turned;
    }
    if (block.form == Form::marked) mark(row, block.unfinite);
    put_scales(row, block.form, scale);
    return row;
  }

  /// Gives what is not finite the poison code, which is all zeros when its bits are turned over.
  static AIRAMP_DEVICE void mark(Vector& row, std::uint32_t unfinite) {
    static_assert((Traits::poison_code ^ codec::four_bit_turned) % 16 == 0);
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i)
      if ((unfinite >> i & 1u) != 0) row.word[i % 4] &= ~(0xfu << (4 * (i / 4)));
  }

  /// The code of a finite magnitude of at most 6. Below 2 a unit of the last place is 0.5, and twice as much from each
  /// further power of two on: the addition of 2^23 units rounds to whole ones.
  static AIRAMP_DEVICE std::uint32_t encode_magnitude(float value) {
    const std::uint32_t exponent = bits_of(value) & infinity_bits;
    const std::uint32_t power = exponent > bits_of(1.0f) ? exponent : bits_of(1.0f);
    const std::uint32_t base = power + (22u << 23);
    const std::uint32_t sum = bits_of(fabsf(value) + float_of_bits(base));
    return sum + ((power >> 22) - power - (22u << 23) - 254u);  // two more codes for each power
  }

  /// Gathers one byte of each lane in lanes 30 and 31.
  static AIRAMP_DEVICE void put_scales(Vector& row, Form form, std::uint32_t scale) {
    const int lane = lane_index();
    const std::uint32_t byte = lane < data_lanes ? scale : lane == data_lanes ? static_cast<std::uint32_t>(form) : 0u;
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

  /// The elements of a row without their scale, in units of raw_unit: as binary16, whose exponents have another bias.
  static AIRAMP_DEVICE void raw_elements(const Vector& row, float* values) {
    AIRAMP_UNROLL
    for (int w = 0; w < 4; ++w) {
      const std::uint32_t codes = row.word[w] ^ codec::four_bit_turned;
      AIRAMP_UNROLL
      for (int g = 0; g < 4; ++g) {  // and what lies 16 bits further
        const std::uint32_t magnitudes = (g < 3 ? codes << (9 - 4 * g) : codes >> 3) & 0x0e000e00u;
        const std::uint32_t signs = codes << (12 - 4 * g) & 0x80008000u;
        float16_to_float(magnitudes | signs, values[4 * g + w], values[4 * (g + 4) + w]);
      }
    }
  }

  /// The elements of a row of a form.
  static AIRAMP_DEVICE void decode_values(const Vector& row, Form form, float* values) {
    const float power = get_scale(row);
    raw_elements(row, values);
    if (form == Form::transformed) {
      transform(values);
      const float factor = power * (raw_unit * 0x1p-5f);
      AIRAMP_UNROLL
      for (int i = 0; i < per_lane; ++i) values[i] *= factor;
      return;
    }
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) values[i] = values[i] * raw_unit * power;
    if (form != Form::marked) return;
    AIRAMP_UNROLL
    for (int i = 0; i < per_lane; ++i) {
      const std::uint32_t code = (row.word[i % 4] ^ codec::four_bit_turned) >> (4 * (i / 4));
      if ((code & 0x7u) == Traits::poison_code) values[i] = float_of_bits(codec::quiet_nan_float32);
    }
  }
};

}  // namespace airamp::gpu::device
