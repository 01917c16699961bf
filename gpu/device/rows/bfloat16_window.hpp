// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A lane's eight bfloat16 numbers in three words, where all of its row's are zeros or lie in a window. A number's
// magnitude is its bits without the sign; the window is the 2047 magnitudes below `top`, which are nearly 16 exponents.
// A number is sent as its sign and, in 11 bits, how far its magnitude lies below `top`; 0 stands for a zero.
//
// That is 96 bits, and one of them is to be spared. A number whose first of the 11 bits is set is 1/128 of `top` or
// less. As there are seldom many of these in a lane, the last number's first bit need not travel: if it is set, all
// eight are turned over. Who finds more than four of the other seven set turns them back. A lane of which this would be
// wrong does not fit.
#pragma once

#include <cstdint>

#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

/// Of both halves of a word.
inline constexpr std::uint32_t magnitude_bits = 0x7fff7fffu;
inline constexpr std::uint32_t first_distance_bits = 0x04000400u;
inline constexpr std::uint32_t distance_bits = 0x07ff07ffu;

/// The bit of a lane's third word that is spared.
inline constexpr int spared_bit = 30;

/// The end of the window of a row whose greatest magnitude has this exponent.
AIRAMP_DEVICE std::uint32_t window_top(std::uint32_t exponent) { return (exponent + 1) << 7; }

/// The greatest of the lane's magnitudes.
AIRAMP_DEVICE std::uint32_t greatest_magnitude(const Vector& v) {
  const std::uint32_t low = maximum_of_halves(v.word[0] & magnitude_bits, v.word[1] & magnitude_bits);
  const std::uint32_t high = maximum_of_halves(v.word[2] & magnitude_bits, v.word[3] & magnitude_bits);
  const std::uint32_t both = maximum_of_halves(low, high);
  return both >> 16 > (both & 0xffffu) ? both >> 16 : both & 0xffffu;
}

/// In each half 0 for 0, and for anything else what is missing to `top`. Its own reverse.
AIRAMP_DEVICE std::uint32_t distances(std::uint32_t halves, std::uint32_t top) {
  const std::uint32_t not_zero = (halves + magnitude_bits) >> 15 & 0x00010001u;
  return not_zero * top - halves;
}

AIRAMP_DEVICE bool most_are_far(const std::uint32_t* distance) {
  constexpr std::uint32_t first = first_distance_bits;
  const std::uint32_t all = (distance[0] & first) | (distance[1] >> 1 & first >> 1) | (distance[2] >> 2 & first >> 2) |
                            (distance[3] >> 3 & first >> 3);
  return count_bits(all) > 4;
}

/// The lane's first three words, with 0 for the spared bit. False if its numbers do not fit; the words then mean
/// nothing.
AIRAMP_DEVICE bool pack_below(std::uint32_t top, const Vector& v, Vector& packed) {
  std::uint32_t distance[4];
  std::uint32_t all = 0;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    distance[i] = distances(v.word[i] & magnitude_bits, top);
    all |= distance[i];
  }
  const bool turns = (distance[3] >> 26 & 1u) != 0;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) distance[i] ^= turns ? first_distance_bits : 0;
  const bool fits = ((all & ~distance_bits) == 0) & (most_are_far(distance) == turns);
  std::uint32_t number[4];  // 12 bits in each half
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) number[i] = distance[i] | (v.word[i] >> 4 & 0x08000800u);
  packed = {{number[0] | (number[3] << 12 & 0xf000f000u), number[1] | (number[3] << 8 & 0xf000f000u),
             number[2] | (number[3] << 4 & 0xf000f000u), 0}};
  return fits;
}

/// The reverse of pack_below, for numbers that fit. The spared bit must be 0.
AIRAMP_DEVICE Vector unpacked_below(std::uint32_t top, const Vector& packed) {
  const auto* w = packed.word;
  const std::uint32_t number[4] = {w[0] & 0x0fff0fffu, w[1] & 0x0fff0fffu, w[2] & 0x0fff0fffu,
                                   (w[0] >> 12 & 0x000f000fu) | (w[1] >> 8 & 0x00f000f0u) | (w[2] >> 4 & 0x0f000f00u)};
  const std::uint32_t turned_over = most_are_far(number) ? first_distance_bits : 0;
  Vector v;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i)
    v.word[i] = distances((number[i] & distance_bits) ^ turned_over, top) | (number[i] << 4 & 0x80008000u);
  return v;
}

}  // namespace airamp::gpu::device
