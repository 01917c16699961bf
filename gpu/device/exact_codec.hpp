// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

#include "gpu/data_type.hpp"
#include "gpu/device/arithmetic.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Elements of which any bits are legal; the interface is that of MxCodec. Lanes 0-30 carry 16 bytes each. A word of
/// all ones, which would look like a hole, travels as 0; lane 31 names such words, 31 bits for each of a lane's four.
/// DataType::byte is for movement of any type: it has no arithmetic.
template <DataType type>
struct ExactCodec {
  using Unit = std::conditional_t<
      type == DataType::byte, std::uint8_t,
      std::conditional_t<type == DataType::int32 || type == DataType::uint32, std::uint32_t, std::uint64_t>>;
  using Accumulator = std::conditional_t<type == DataType::int32, std::int32_t,
                                         std::conditional_t<type == DataType::int64, std::int64_t, Unit>>;
  static constexpr int vectors = 1;
  static constexpr int data_lanes = 31;
  static constexpr int width = 16 / sizeof(Unit);
  static constexpr int row_elements = data_lanes * width;
  static constexpr bool wide = false;

  static AIRAMP_DEVICE int offset(int) { return lane_index() * width; }

  static AIRAMP_DEVICE Vector encode(const Vector* elements) {
    Vector row;
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) {
      const bool is_hole = elements[0].word[i] == hole_word && lane_index() < data_lanes;
      const std::uint32_t holes = ballot(is_hole);
      row.word[i] = lane_index() == data_lanes ? holes : is_hole ? 0u : elements[0].word[i];
    }
    return row;
  }

  static AIRAMP_DEVICE void decode(const Vector& row, Vector* elements) {
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t holes = shuffle(row.word[i], data_lanes);
      elements[0].word[i] = (holes >> lane_index() & 1u) != 0 ? hole_word : row.word[i];
    }
  }

  static AIRAMP_DEVICE void start(ReduceOp, Accumulator* accumulators, const Vector& row) { expand(row, accumulators); }

  static AIRAMP_DEVICE void add(ReduceOp op, Accumulator* accumulators, const Vector& row) {
    Accumulator values[width];
    expand(row, values);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) accumulators[i] = combine(op, accumulators[i], values[i]);
  }

  static AIRAMP_DEVICE Vector finish(const Accumulator* accumulators) {
    Vector elements;
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) {
      if constexpr (sizeof(Unit) == 8)
        elements.word[i] = static_cast<std::uint32_t>(static_cast<Unit>(accumulators[i / 2]) >> (32 * (i & 1)));
      else
        elements.word[i] = static_cast<std::uint32_t>(accumulators[i]);
    }
    return encode(&elements);
  }

 private:
  static AIRAMP_DEVICE void expand(const Vector& row, Accumulator* values) {
    Vector elements;
    decode(row, &elements);
    AIRAMP_UNROLL
    for (int i = 0; i < width; ++i) {
      if constexpr (sizeof(Unit) == 8)
        values[i] =
            static_cast<Accumulator>(elements.word[2 * i] | static_cast<std::uint64_t>(elements.word[2 * i + 1]) << 32);
      else
        values[i] = static_cast<Accumulator>(elements.word[i]);
    }
  }
};

}  // namespace airamp::gpu::device
