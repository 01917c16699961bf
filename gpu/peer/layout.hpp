// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How collectives over peer memory divide a region. All ranks compute the same from the same arguments.
#pragma once

#include <cstddef>
#include <cstdint>

namespace airamp::gpu {

inline constexpr std::uint32_t ring_slots = 4;

/// Bytes of a row's record, which rows of any bits (integers, bytes) may need; see gpu/device/rows/any_bits.hpp.
inline constexpr std::uint32_t any_bits_record_bytes = 32;

/// At the end of a region, for what ranks tell each other as they start (gpu/device/start_gate.hpp).
inline constexpr std::uint32_t votes_bytes = 1024;

/// Rows of 512 bytes in a tile of a two-shot reduction; between two ranks two of them, so that a warp has more under
/// way, unless a row of more than 512 elements fills its lanes' registers by itself. `specialised`: by a kernel for
/// this number of ranks.
constexpr int reduce_tile_rows(int size, bool specialised, std::uint64_t row_elements = 0) {
  return specialised && size == 2 && row_elements <= 512 ? 2 : 1;
}

/// Likewise of an allgather or alltoallv.
constexpr int gather_tile_rows(int size, bool specialised) {
  return !specialised ? 1 : size == 2 ? 4 : size == 4 ? 2 : 1;
}

/// Likewise of a broadcast.
constexpr int broadcast_tile_rows(int size, bool specialised) { return specialised && size == 2 ? 4 : 1; }

/// What of a two-shot collective divides its region.
struct RingNeeds {
  std::uint64_t tiles = 0;  ///< of the rank that has most
  int size = 0;
  int rows = 1;           ///< of a tile
  int kinds = 1;          ///< 2 if results travel as well as contributions
  bool any_bits = false;  ///< rows may need records
  int warps = 1;          ///< channels that run at the same time on a multiprocessor; more do not pay
};

/// Its walk through the ring.
struct RingLayout {
  std::uint32_t channels = 1;       ///< warps per rank; at least 1
  std::uint32_t rounds = 0;         ///< how often each of them sends
  std::uint32_t slot_bytes = 0;     ///< of one of ring_slots; a multiple of 128
  std::uint32_t record_offset = 0;  ///< in a slot: where the records follow the rows
};

/// Channels have tiles in all rounds but the last. channels is 0 if the region is too small for one.
/// `multiprocessors`: of the GPU that has fewest.
RingLayout ring_layout(const RingNeeds& needs, std::size_t region_bytes, int multiprocessors);

}  // namespace airamp::gpu
