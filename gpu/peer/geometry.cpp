// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "gpu/peer/geometry.hpp"

#include <algorithm>

#include "codec/codec.hpp"
#include "gpu/peer/layout.hpp"

namespace airamp::gpu {
namespace {

std::size_t senders(int size) { return static_cast<std::size_t>(std::max(size - 1, 1)); }

}  // namespace

std::size_t one_shot_region_bytes(std::size_t message_bytes, int size) {
  const std::size_t rows = (message_bytes + codec::wire_row_bytes - 1) / codec::wire_row_bytes;
  return senders(size) * rows * (codec::wire_row_bytes + any_bits_record_bytes) + votes_bytes;
}

std::size_t smallest_two_shot_region_bytes(int size) {
  std::size_t rows = 0;  // per peer: contributions and results, or the blocks of an allgather
  for (const bool specialised : {false, true})
    rows = std::max<std::size_t>({rows, 2 * static_cast<std::size_t>(reduce_tile_rows(size, specialised)),
                                  static_cast<std::size_t>(gather_tile_rows(size, specialised)),
                                  2 * static_cast<std::size_t>(broadcast_tile_rows(size, specialised))});
  const std::size_t slot_bytes = senders(size) * rows * (codec::wire_row_bytes + any_bits_record_bytes);
  return ring_slots * ((slot_bytes + 1023) / 1024 * 1024) + votes_bytes;
}

}  // namespace airamp::gpu
