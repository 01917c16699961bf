// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/peer/geometry.hpp"

namespace airamp::pmpi {

/// A communicator has a small region of GPU scratch memory for small messages, and a large one from the first larger
/// message on; all its signatures share them, since one collective runs on a communicator at a time.
inline constexpr std::size_t small_region_bytes = 1U << 20U;
inline constexpr std::size_t largest_region_bytes = 18U << 20U;

/// Messages up to this go through the small region.
inline constexpr std::uint64_t small_message_bytes = 64U << 10U;

/// The largest message that the one-shot algorithm takes, so that every message that it may win fits (512 KiB at most).
inline std::uint64_t max_one_shot_bytes(int size) {
  std::uint64_t bytes = 512U << 10U;
  while (bytes > 0 && gpu::one_shot_region_bytes(bytes, size) > small_region_bytes) bytes /= 2;
  return bytes;
}

}  // namespace airamp::pmpi
