// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Warps per block at most; they bound what registers a thread may have (65536 per multiprocessor).
#pragma once

#include <cstdint>

namespace airamp::gpu::device {

inline constexpr int general_warps = 16;
inline constexpr int one_shot_warps = 4;   ///< where there are several blocks
inline constexpr int one_block_warps = 8;  ///< of a one-shot of a single block
inline constexpr int one_shot_blocks = 2;  ///< that fit a multiprocessor whatever registers they have
inline constexpr int codec_warps = 8;

/// Rows of more than 640 elements, and more ranks, need more registers than others.
constexpr int reduce_warps(int ranks, std::uint64_t row_elements = 0) {
  if (ranks == 8) return 12;
  return row_elements > 640 || ranks == 0 ? general_warps : 18;
}
constexpr int gather_warps(int ranks) { return ranks == 0 ? general_warps : 18; }
constexpr int alltoall_warps(int ranks) { return ranks == 8 ? 12 : ranks == 2 ? 18 : general_warps; }

}  // namespace airamp::gpu::device
