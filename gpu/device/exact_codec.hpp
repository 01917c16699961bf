// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "core/data_type.hpp"
#include "core/reduce_op.hpp"
#include "gpu/device/arithmetic.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Elements of which any bits are legal; the interface is that of MxCodec. DataType::byte is for movement of any type:
/// it has no arithmetic.
template <DataType type>
struct ExactCodec {
  using Unit = std::conditional_t<
      type == DataType::byte, std::uint8_t,
      std::conditional_t<type == DataType::int32 || type == DataType::uint32, std::uint32_t, std::uint64_t>>;
  using Accumulator = std::conditional_t<type == DataType::int32, std::int32_t,
                                         std::conditional_t<type == DataType::int64, std::int64_t, Unit>>;
  static constexpr int vectors = 1;
  static constexpr int half_vectors = 0;
  static constexpr int data_lanes = 32;
  static constexpr int width = 16 / sizeof(Unit);
  static constexpr int row_elements = data_lanes * width;
  static constexpr bool wide = false;
  static constexpr bool any_bits = true;

  static AIRAMP_DEVICE int offset(int) { return lane_index() * width; }

  static AIRAMP_DEVICE Vector encode(const Vector* elements) { return elements[0]; }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) { elements[0] = row; }

  static AIRAMP_DEVICE void start(ReduceOp, Accumulator* accumulators, const Vector& row) { expand(row, accumulators); }

  static AIRAMP_DEVICE void add(ReduceOp op, Accumulator* accumulators, const Vector& row) {
    Accumulator values[width];
    expand(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
  }

  static AIRAMP_DEVICE Vector finish(const Accumulator* accumulators) {
    Vector row;
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(Unit) == 8)
        row.word[i] = static_cast<std::uint32_t>(static_cast<Unit>(accumulators[i / 2]) >> (32 * (i & 1)));
      else
        row.word[i] = static_cast<std::uint32_t>(accumulators[i]);
    }
    return row;
  }

 private:
  static AIRAMP_DEVICE void expand(const Vector& row, Accumulator* values) {
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) {
      if constexpr (sizeof(Unit) == 8)
        values[i] = static_cast<Accumulator>(row.word[2 * i] | static_cast<std::uint64_t>(row.word[2 * i + 1]) << 32);
      else
        values[i] = static_cast<Accumulator>(row.word[i]);
    }
  }
};

}  // namespace airamp::gpu::device
