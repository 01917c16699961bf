// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Rows of which any bits are legal, on a wire on which a word of all ones means that nothing has arrived (channel.hpp).
// Words travel with some of their bits turned over, so that what looks like a hole is rare in anybody's data; 0 and -1
// are not. Such a word travels as an escape. A row with escapes, or with words that only look like one, is followed by
// its record: which of them are holes. Who reads an escape waits for the record, whose words vouch for themselves too.
// Where rows may be narrow (narrow_rows.hpp), one that only looks so has an escape in place of lane 0's first word.
#pragma once

#include <cstdint>

#include "gpu/device/hole.hpp"
#include "gpu/device/leave.hpp"
#include "gpu/device/platform.hpp"

namespace airamp::gpu::device {

AIRAMP_DEVICE bool has_escape(const Vector& row) {
  return row.word[0] == escape_word || row.word[1] == escape_word || row.word[2] == escape_word ||
         row.word[3] == escape_word;
}

AIRAMP_DEVICE Vector turned(Vector row) {
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) row.word[i] ^= turned_bits;
  return row;
}

/// How many planes a row seems to consist of; all lanes together.
AIRAMP_DEVICE int planes_of(const Vector& row) {
  const std::uint32_t signature = ballot(row.word[0] >> 31 != 0);
  AIRAMP_UNROLL
  for (int planes = 1; planes < 4; ++planes)
    if (signature == plane_signature(planes)) return planes;
  return 4;
}

/// The record: 128 bits, 16 in each word of lane 0's and lane 1's vectors. Above them, where a row looks narrow, lane
/// 0's first word and a 1 in place of its first bit, by 11 bits; these are never all ones.
inline AIRAMP_DEVICE_OUT_OF_LINE void push_record(Vector* record, Vector row) {
  Vector bits;
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t holes = ballot(row.word[i] == hole_word);
    bits.word[i] = lane_index() == 0 ? holes & 0xffffu : holes >> 16;
  }
  if (planes_of(row) < 4 && lane_index() == 0) {
    const std::uint32_t replaced = row.word[0] | 1u << 31;
    AIRAMP_UNROLL
    for (int i = 0; i < 3; ++i) bits.word[i] |= (replaced >> 11 * i & 0x7ffu) << 16;
  }
  if (lane_index() < 2) store_wire<false>(record + lane_index(), bits);
}

/// Waits for the record, puts its holes back, and the row's holes where they belong. Who is to leave (channel.hpp) does
/// not wait: the row then means nothing.
inline AIRAMP_DEVICE_OUT_OF_LINE Vector take_record(Vector* record, Vector row, const Completion& completion) {
  Vector bits = {};
  for (std::uint32_t turns = 0;; ++turns) {
    if (lane_index() < 2) bits = load_wire<false>(record + lane_index());
    if (!any(has_hole<false>(bits)) || is_told_to_leave(completion, turns)) break;
  }
  if (lane_index() < 2) store_wire<false>(record + lane_index(), all_holes());
  AIRAMP_UNROLL
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t holes = (shuffle(bits.word[i], 0) & 0xffffu) | shuffle(bits.word[i], 1) << 16;
    if ((holes >> lane_index() & 1u) != 0) row.word[i] = hole_word;
  }
  const std::uint32_t replaced = bits.word[0] >> 16 | bits.word[1] >> 16 << 11 | bits.word[2] >> 16 << 22;
  if (lane_index() == 0 && replaced != 0) row.word[0] = replaced & ~(1u << 31);
  return row;
}

/// The row as it travels. `record`: where its record goes, if it needs one. `narrow_rows`: others may be narrow. All
/// lanes together.
template <bool narrow_rows = false>
AIRAMP_DEVICE Vector to_wire(Vector row, Vector* record) {
  row = turned(row);
  const std::uint32_t low = row.word[0] > row.word[1] ? row.word[0] : row.word[1];
  const std::uint32_t high = row.word[2] > row.word[3] ? row.word[2] : row.word[3];
  bool looks_narrow = false;
  if constexpr (narrow_rows) looks_narrow = planes_of(row) < 4;
  if (any_in_warp((low > high ? low : high) >= escape_word) || looks_narrow) {
    push_record(record, row);
    AIRAMP_UNROLL
    for (int i = 0; i < 4; ++i) row.word[i] = row.word[i] == hole_word ? escape_word : row.word[i];
    if (looks_narrow && lane_index() == 0) row.word[0] = escape_word;
  }
  return row;
}

/// The reverse, for a row that has arrived. All lanes together.
AIRAMP_DEVICE Vector from_wire(Vector row, Vector* record, const Completion& completion) {
  if (any_in_warp(has_escape(row))) row = take_record(record, row, completion);
  return turned(row);
}

}  // namespace airamp::gpu::device
