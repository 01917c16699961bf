// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/data_type.hpp"
#include "core/element_type.hpp"
#include "core/reduce_op.hpp"
#include "gpu/device/arithmetic.hpp"
#include "gpu/device/element_type.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Floating-point elements as they are; the interface is that of MxCodec. A word (64 bits for float64) of which the
/// first 16 bits are all ones begins with a NaN. That travels with the other sign, so that nothing looks like a hole,
/// or like a mark (short_rows.hpp). Halves are accumulated in binary32 and rounded once.
template <DataType type>
struct FloatCodec {
  static constexpr bool wide = type == DataType::float64;
  static constexpr bool any_bits = false;
  static constexpr bool has_window = type == DataType::bfloat16;  ///< bfloat16_window.hpp
  static constexpr bool is_half = type == DataType::float16 || type == DataType::bfloat16;
  using Unit = std::conditional_t<wide, std::uint64_t, std::conditional_t<is_half, std::uint16_t, std::uint32_t>>;
  using Accumulator = std::conditional_t<wide, double, float>;
  static constexpr int vectors = 1;
  static constexpr int half_vectors = 0;
  static constexpr int data_lanes = 32;
  static constexpr int width = 16 / sizeof(Unit);
  static constexpr int row_elements = data_lanes * width;

  static AIRAMP_DEVICE int offset(int) { return lane_index() * width; }

  static AIRAMP_DEVICE Vector encode(const Vector* elements) { return without_marks(elements[0]); }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) { elements[0] = row; }

  static AIRAMP_DEVICE void start(ReduceOp, Accumulator* accumulators, const Vector& row) { expand(row, accumulators); }

  static AIRAMP_DEVICE void add(ReduceOp op, Accumulator* accumulators, const Vector& row) {
    Accumulator values[width];
    expand(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
  }

  static AIRAMP_DEVICE Vector finish(const Accumulator* accumulators) {
    if constexpr (wide) {
      Vector row;
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i) {
        row.word[2 * i] = static_cast<std::uint32_t>(bits_of(accumulators[i]));
        row.word[2 * i + 1] = static_cast<std::uint32_t>(bits_of(accumulators[i]) >> 32);
      }
      return without_marks(row);
    } else {
      return without_marks(from_floats<compressible>(accumulators));
    }
  }

 private:
  static constexpr ElementType compressible = type == DataType::float16    ? ElementType::float16
                                              : type == DataType::bfloat16 ? ElementType::bfloat16
                                                                           : ElementType::float32;

  static AIRAMP_DEVICE void expand(const Vector& row, Accumulator* values) {
    if constexpr (wide) {
      AIRAMP_UNROLL
      for (int i = 0; i < width; ++i)
        values[i] = double_of_bits(row.word[2 * i] | static_cast<std::uint64_t>(row.word[2 * i + 1]) << 32);
    } else {
      to_floats<compressible>(row, values);
    }
  }

  static AIRAMP_DEVICE Vector without_marks(Vector row) {
    constexpr std::uint32_t without_sign = hole_word >> 1;
    if constexpr (wide) {
      AIRAMP_UNROLL
      for (int i = 1; i < 4; i += 2)
        if (row.word[i] >= first_mark) row.word[i] &= without_sign;
    } else {
      AIRAMP_UNROLL
      for (int i = 0; i < 4; ++i)
        if (row.word[i] >= first_mark) row.word[i] &= without_sign;
    }
    return row;
  }
};

}  // namespace airamp::gpu::device
