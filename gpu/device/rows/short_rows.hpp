// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of floating-point numbers of which less than all need travel. Who sends a row brings what its numbers need into
// the first of its 32 vectors, and sends these alone:
//   1 where all numbers are +0;
//   24 where bfloat16 numbers fit a window (bfloat16_window.hpp): a lane has three words, and those of lanes 24 to 31
//   are
//     the fourth words of the others, three lanes each;
//   17 where the lower halves of all float32 or float64 numbers' bits are 0: a lane has two words, two lanes a vector.
// Every word vouches for itself (channel.hpp), and vectors that nobody sends are not waited for.
//
// Lane 0's vector says how many there are by a mark: a NaN that nobody sends otherwise (lossless_codec.hpp). What it
// displaces travels in a bit that each lane spares (of 24 vectors; bit l in lane l), or in the last vector (of 17).
#pragma once

#include <cstdint>

#include "gpu/device/hole.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/bfloat16_window.hpp"
#include "gpu/device/rows/upper_halves.hpp"

namespace airamp::gpu::device {

/// A row as it travels: the lane's vector, and how many of the lanes' are sent. Who sends it to several makes it once.
struct ShortRow {
  Vector vector;
  int vectors;
};

/// The word of lane 0's vector that is the mark: of float64 the upper half of the first number.
template <int element_bytes>
inline constexpr int mark_word = element_bytes == 8 ? 1 : 0;

/// `exponent`: of a window.
AIRAMP_DEVICE std::uint32_t mark_of(int vectors, std::uint32_t exponent = 0) {
  return first_mark | exponent << 8 | static_cast<std::uint32_t>(vectors);
}

/// How many vectors a row has by the mark or whatever is in its place. By a hole they are more than one, so that lane
/// 0's is one of them.
AIRAMP_DEVICE int vectors_by(std::uint32_t mark) { return mark < first_mark ? 32 : static_cast<int>(mark & 31u); }

/// A row of bfloat16 numbers as it travels. All lanes together, here and below.
AIRAMP_DEVICE ShortRow shortened_by_window(const Vector& row) {
  const bool has_sign = ((row.word[0] | row.word[1] | row.word[2] | row.word[3]) & ~magnitude_bits) != 0;
  const std::uint32_t greatest = maximum_in_warp(greatest_magnitude(row) << 1 | (has_sign ? 1u : 0u));
  const std::uint32_t exponent = greatest >> 8;
  Vector packed;
  const bool fits = pack_below(window_top(exponent), row, packed);
  const std::uint32_t displaced = shuffle(packed.word[0], 0);
  packed.word[2] |= (displaced >> lane_index() & 1u) << spared_bit;
  const int from = 24 + lane_index() / 3;
  std::uint32_t fourth[3];
  AIRAMP_UNROLL
  for (int k = 0; k < 3; ++k) fourth[k] = shuffle(packed.word[k], from & 31);
  packed.word[3] = lane_index() % 3 == 0 ? fourth[0] : lane_index() % 3 == 1 ? fourth[1] : fourth[2];
  const int vectors = greatest == 0 ? 1 : 24;
  if (lane_index() == 0) packed.word[0] = mark_of(vectors, exponent);
  const bool is_whole = any_in_warp(!fits || (lane_index() < 24 && has_hole<false>(packed)));
  ShortRow result;
  result.vectors = is_whole ? 32 : vectors;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) result.vector.word[i] = is_whole ? row.word[i] : packed.word[i];
  return result;
}

/// The reverse. `exponent`: of the mark.
AIRAMP_DEVICE Vector restored_by_window(Vector packed, std::uint32_t exponent) {
  const std::uint32_t fourth = packed.word[3];
  AIRAMP_UNROLL
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t own = shuffle(fourth, (3 * lane_index() - 72 + k) & 31);
    if (lane_index() >= 24) packed.word[k] = own;
  }
  const std::uint32_t displaced = ballot((packed.word[2] >> spared_bit & 1u) != 0);
  if (lane_index() == 0) packed.word[0] = displaced;
  packed.word[2] &= ~(1u << spared_bit);
  return unpacked_below(window_top(exponent), packed);
}

/// A row of longer numbers as it travels.
template <int element_bytes>
AIRAMP_DEVICE ShortRow shortened_by_halves(const Vector& row) {
  const std::uint32_t lower = element_bytes == 8 ? row.word[0] | row.word[2]
                                                 : (row.word[0] | row.word[1] | row.word[2] | row.word[3]) & 0xffffu;
  if (any_in_warp(lower != 0)) return {row, 32};
  ShortRow result = {{}, 1};
  const auto upper = UpperHalves<element_bytes>::of(row);
  if (any_in_warp((upper.word[0] | upper.word[1]) != 0)) {
    const int first = 2 * lane_index() & 31;  // lane 16 gets what lane 0 does
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) result.vector.word[i] = shuffle(upper.word[i % 2], first + i / 2);
    result.vectors = 17;
  }
  if (lane_index() == 0) result.vector.word[mark_word<element_bytes>] = mark_of(result.vectors);
  return result;
}

/// The reverse.
template <int element_bytes>
AIRAMP_DEVICE Vector restored_by_halves(Vector row) {
  AIRAMP_UNROLL
  for (int i = 0; i <= mark_word<element_bytes>; ++i) {
    const std::uint32_t displaced = shuffle(row.word[i], 16);
    if (lane_index() == 0) row.word[i] = displaced;
  }
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) row.word[i] = shuffle(row.word[i], lane_index() / 2);
  const bool odd = lane_index() % 2 != 0;
  return UpperHalves<element_bytes>{{odd ? row.word[2] : row.word[0], odd ? row.word[3] : row.word[1]}}.vector();
}

AIRAMP_DEVICE ShortRow shortened_if_zero(const Vector& row) {
  const bool is_whole = any_in_warp((row.word[0] | row.word[1] | row.word[2] | row.word[3]) != 0);
  return {{{is_whole ? row.word[0] : mark_of(1), row.word[1], row.word[2], row.word[3]}}, is_whole ? 32 : 1};
}

/// How the rows of a FloatCodec travel.
template <class Codec>
struct ShortRows {
  static constexpr int element_bytes = static_cast<int>(sizeof(typename Codec::Unit));

  static AIRAMP_DEVICE ShortRow shortened(const Vector& row) {
    if constexpr (Codec::has_window)
      return shortened_by_window(row);
    else if constexpr (element_bytes > 2)
      return shortened_by_halves<element_bytes>(row);
    else
      return shortened_if_zero(row);
  }

  /// Sends the lane's part of the row to `place`.
  static AIRAMP_DEVICE void send(Vector* place, const ShortRow& row) {
    if (lane_index() < row.vectors) store_wire<Codec::wide>(place, row.vector);
  }

  static AIRAMP_DEVICE std::uint32_t mark(const Vector& row) { return shuffle(row.word[mark_word<element_bytes>], 0); }

  /// Whether a word of the lane that travels has not arrived.
  static AIRAMP_DEVICE bool is_missing(const Vector& row) {
    const int vectors = vectors_by(mark(row));
    return lane_index() < vectors && has_hole<Codec::wide>(row);
  }

  /// The row, once it has arrived.
  static AIRAMP_DEVICE Vector restored(const Vector& row) {
    const std::uint32_t its_mark = mark(row);
    const int vectors = vectors_by(its_mark);
    if (vectors == 32) return row;
    if (vectors == 1) return {};
    if constexpr (Codec::has_window)
      return restored_by_window(row, its_mark >> 8 & 0xffu);
    else if constexpr (element_bytes > 2)
      return restored_by_halves<element_bytes>(row);
    else
      return {};
  }
};

}  // namespace airamp::gpu::device
