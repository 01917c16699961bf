// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// How collectives over peer memory divide a region. All ranks compute the same from the same arguments.
#pragma once

#include <cstddef>
#include <cstdint>

namespace airamp::gpu {

inline constexpr std::uint32_t ring_slots = 4;

/// Channels that pay: 18 warps for each of 108 multiprocessors. Independent of the GPU, on which ranks may differ.
inline constexpr std::uint32_t most_channels = 1944;

/// Rows of 512 bytes in a tile of a two-shot reduction; between two ranks two of them, so that a warp has more under
/// way. `specialised`: by a kernel for this number of ranks.
constexpr int reduce_tile_rows(int size, bool specialised) { return specialised && size == 2 ? 2 : 1; }

/// Likewise of an allgather.
constexpr int gather_tile_rows(int size, bool specialised) {
  return !specialised ? 1 : size == 2 ? 4 : size == 4 ? 2 : 1;
}

/// A two-shot collective's walk through the ring.
struct RingLayout {
  std::uint32_t channels = 1;    ///< warps per rank; at least 1
  std::uint32_t rounds = 0;      ///< how often each of them sends
  std::uint32_t slot_bytes = 0;  ///< of one of ring_slots
};

/// `tiles`: of the rank that has most. `kinds`: 2 if results travel as well as contributions, otherwise 1. Channels
/// have tiles in all rounds but the last. channels is 0 if the region is too small for one.
RingLayout ring_layout(std::uint64_t tiles, int size, int rows, int kinds, std::size_t region_bytes);

}  // namespace airamp::gpu
