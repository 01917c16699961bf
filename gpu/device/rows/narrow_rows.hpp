// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of integers, which are seldom as large as their type allows. A row travels as four planes of 128 bytes: plane k
// is word k of every lane. Where all values of a row fit three, two or one quarters of their type's bits, less one bit,
// they are packed into so many planes. That bit is the first of the lane's first word, and the 32 of them together say
// how many planes there are. Every word vouches for itself (channel.hpp), and planes that nobody sends are not waited
// for. A packed row in which a word would look like a hole travels whole, and a whole row which by chance looks narrow
// has an escape (any_bits.hpp).
#pragma once

#include <cstdint>

#include "gpu/device/hole.hpp"
#include "gpu/device/platform.hpp"
#include "gpu/device/rows/any_bits.hpp"

namespace airamp::gpu::device {

/// The low `bits` of a word, with their sign.
template <int bits>
AIRAMP_DEVICE std::uint32_t signed_part(std::uint32_t word) {
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(word << (32 - bits)) >> (32 - bits));
}

/// All ones if the word is negative, or 0.
AIRAMP_DEVICE std::uint32_t sign(std::uint32_t word) { return signed_part<1>(word >> 31); }

/// Planes that the lane's values need.
template <int element_bytes>
AIRAMP_DEVICE int planes_needed(const Vector& v) {
  if constexpr (element_bytes == 4) {
    std::uint32_t all = 0;
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) all |= v.word[i] ^ sign(v.word[i]);
    return all < 1u << 6 ? 1 : all < 1u << 14 ? 2 : all < 1u << 22 ? 3 : 4;
  } else {
    const std::uint32_t low = (v.word[0] ^ sign(v.word[1])) | (v.word[2] ^ sign(v.word[3]));
    const std::uint32_t high = (v.word[1] ^ sign(v.word[1])) | (v.word[3] ^ sign(v.word[3]));
    if (high != 0) return high < 1u << 14 ? 3 : 4;
    return low < 1u << 14 ? 1 : low < 1u << 30 ? 2 : 3;
  }
}

/// The lane's values in its words of the first `planes` (1 to 3) planes. The first two bits of word 0 are equal.
template <int element_bytes>
AIRAMP_DEVICE Vector packed(const Vector& v, int planes) {
  const auto* w = v.word;
  if constexpr (element_bytes == 4) {
    if (planes == 3)
      return {{(w[0] & 0xffffffu) | w[3] >> 16 << 24, (w[1] & 0xffffffu) | w[3] >> 8 << 24,
               (w[2] & 0xffffffu) | w[3] << 24, 0}};
    if (planes == 2) return {{(w[0] & 0xffffu) | w[1] << 16, (w[2] & 0xffffu) | w[3] << 16, 0, 0}};
    return {{(w[0] & 0xffu) | (w[1] & 0xffu) << 8 | (w[2] & 0xffu) << 16 | w[3] << 24, 0, 0, 0}};
  } else {
    if (planes == 3) return {{(w[1] & 0xffffu) | w[3] << 16, w[0], w[2], 0}};
    if (planes == 2) return {{w[0], w[2], 0, 0}};
    return {{(w[0] & 0xffffu) | w[2] << 16, 0, 0, 0}};
  }
}

template <int element_bytes>
AIRAMP_DEVICE Vector unpacked(const Vector& v, int planes) {
  const auto* w = v.word;
  if constexpr (element_bytes == 4) {
    if (planes == 3)
      return {{signed_part<24>(w[0]), signed_part<24>(w[1]), signed_part<24>(w[2]),
               signed_part<24>(w[0] >> 24 << 16 | w[1] >> 24 << 8 | w[2] >> 24)}};
    if (planes == 2)
      return {{signed_part<16>(w[0]), signed_part<16>(w[0] >> 16), signed_part<16>(w[1]), signed_part<16>(w[1] >> 16)}};
    return {{signed_part<8>(w[0]), signed_part<8>(w[0] >> 8), signed_part<8>(w[0] >> 16), signed_part<8>(w[0] >> 24)}};
  } else {
    if (planes == 3) return {{w[1], signed_part<16>(w[0]), w[2], signed_part<16>(w[0] >> 16)}};
    const std::uint32_t first = planes == 2 ? w[0] : signed_part<16>(w[0]);
    const std::uint32_t second = planes == 2 ? w[1] : signed_part<16>(w[0] >> 16);
    return {{first, sign(first), second, sign(second)}};
  }
}

/// `place`: where the lane's vector would be in a row that travels by vectors.
AIRAMP_DEVICE Vector load_planes(const Vector* place) {
  const auto* word = reinterpret_cast<const std::uint32_t*>(place - lane_index()) + lane_index();
  Vector v;
  AIRAMP_UNROLL
  for (int k = 0; k < 4; ++k) v.word[k] = load_wire_word(word + 32 * k);
  return v;
}

AIRAMP_DEVICE void store_planes(Vector* place, const Vector& v, int count) {
  auto* word = reinterpret_cast<std::uint32_t*>(place - lane_index()) + lane_index();
  AIRAMP_UNROLL
  for (int k = 0; k < 4; ++k)
    if (k < count) store_wire_word(word + 32 * k, v.word[k]);
}

AIRAMP_DEVICE bool has_hole_in_planes(const Vector& v, int count) {
  bool found = v.word[0] == hole_word;
  AIRAMP_UNROLL
  for (int k = 1; k < 4; ++k) found |= k < count && v.word[k] == hole_word;
  return found;
}

/// Whether a word of the lane that travels has not arrived. All lanes together. While a first word is missing, the
/// number of planes is unknown, but in its lane this is true.
AIRAMP_DEVICE bool misses_planes(const Vector& v) { return has_hole_in_planes(v, planes_of(v)); }

/// The lane's words on the wire.
template <int element_bytes>
AIRAMP_DEVICE Vector to_planes(const Vector& row, int count) {
  constexpr std::uint32_t first_bit = 1u << 31;
  Vector narrow = turned(packed<element_bytes>(row, count));
  narrow.word[0] = (narrow.word[0] & ~first_bit) | (plane_signature(count) >> lane_index() & 1u) << 31;
  return narrow;
}

/// Sends the row to `place` (as above). `record`: as in to_wire. All lanes together.
template <int element_bytes>
AIRAMP_DEVICE void push_planes(Vector* place, const Vector& row, Vector* record) {
  const int needed = planes_needed<element_bytes>(row);
  const int count = any_in_warp(needed == 4) ? 4 : any_in_warp(needed == 3) ? 3 : any_in_warp(needed == 2) ? 2 : 1;
  if (count < 4) {
    const Vector narrow = to_planes<element_bytes>(row, count);
    if (!any_in_warp(has_hole_in_planes(narrow, count))) return store_planes(place, narrow, count);
  }
  store_planes(place, to_wire<true>(row, record), 4);
}

/// The row, once it has arrived. All lanes together.
template <int element_bytes>
AIRAMP_DEVICE Vector from_planes(Vector row, Vector* record, const Completion& completion) {
  const int count = planes_of(row);
  if (count == 4) return from_wire(row, record, completion);
  row = turned(row);
  row.word[0] = signed_part<31>(row.word[0]);
  return unpacked<element_bytes>(row, count);
}

}  // namespace airamp::gpu::device
