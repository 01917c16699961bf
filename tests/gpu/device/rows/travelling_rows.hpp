// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of integers, bytes or floating-point numbers on their way from warps to warps (row_streams.hpp), and what must
// be seen of them there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "gpu/device/exact_codec.hpp"
#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/lossless_codec.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/any_bits.hpp"
#include "gpu/device/rows/narrow_rows.hpp"

namespace airamp::gpu::device {

/// The words of lane 0's vector, then lane 1's.
using Row = std::array<std::uint32_t, 128>;

/// What looks like a hole or an escape on the wire, where the row travels whole.
inline constexpr std::uint32_t hole_on_wire = hole_word ^ turned_bits;
inline constexpr std::uint32_t escape_on_wire = escape_word ^ turned_bits;

// What names rows of floating-point numbers, in place of an integer.
struct Float16 {};
struct Bfloat16 {};
struct Float32 {};
struct Float64 {};

template <class Element>
struct CodecOf {
  static constexpr DataType type = std::is_same_v<Element, Float16>        ? DataType::float16
                                   : std::is_same_v<Element, Bfloat16>     ? DataType::bfloat16
                                   : std::is_same_v<Element, Float32>      ? DataType::float32
                                   : std::is_same_v<Element, Float64>      ? DataType::float64
                                   : std::is_same_v<Element, std::uint8_t> ? DataType::byte
                                   : std::is_same_v<Element, std::int32_t> ? DataType::int32
                                                                           : DataType::int64;
  using Codec = std::conditional_t<(type <= DataType::float64), FloatCodec<type>, ExactCodec<type>>;
};

/// Integers travel by planes, bytes row by row.
template <class Integer>
inline constexpr bool by_planes = sizeof(Integer) > 1;

/// Planes that the row's values need by the definition: all fit so many quarters of their type's bits, less one bit.
template <class Integer>
int planes_needed_by(const Row& row) {
  if constexpr (!by_planes<Integer>) return 4;
  constexpr int quarter_bits = 2 * sizeof(Integer);
  int planes = 1;
  for (const Integer value : std::bit_cast<std::array<Integer, sizeof(Row) / sizeof(Integer)>>(row)) {
    while (planes < 4) {
      const auto bound = std::int64_t{1} << (planes * quarter_bits - 2);
      if (value >= -bound && value < bound) break;
      ++planes;
    }
  }
  return planes;
}

/// Whether a row that travels whole needs a record: it has words that look like holes or escapes, or looks narrow.
template <class Integer>
bool needs_record(const Row& row) {
  std::uint32_t first_bits = 0;
  for (std::size_t l = 0; l < 32; ++l) first_bits |= ((row[4 * l] ^ turned_bits) >> 31) << l;
  for (int planes = 1; planes < 4; ++planes)
    if (by_planes<Integer> && first_bits == plane_signature(planes)) return true;
  return std::any_of(row.begin(), row.end(), [](auto word) { return word == hole_on_wire || word == escape_on_wire; });
}

inline LaunchState nobody_leaves;
inline const Completion own_completion = {&nobody_leaves, nullptr, nullptr};

/// A row that one warp sends to one other.
struct TravellingRow {
  Row sent;
  int planes;  // that must travel
  int words = 32 * planes;
  bool with_record;
  std::array<Vector, 32> wire = {};
  std::array<Vector, 2> record = {};
  Row received = {};
  Row expected = sent;

  TravellingRow(const Row& row, int expected_planes, bool expected_record)
      : sent(row), planes(expected_planes), with_record(expected_record) {
    wire.fill(all_holes());
    record.fill(all_holes());
  }
};

template <class Integer>
TravellingRow travelling(const Row& row) {
  const int planes = planes_needed_by<Integer>(row);
  return {row, planes, planes == 4 && needs_record<Integer>(row)};
}

}  // namespace airamp::gpu::device
