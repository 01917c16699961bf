// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "gpu/codec.hpp"

namespace airamp::pmpi {

/// Most ranks that exchange every row directly with one another; beyond, messages get too small to be worth it.
inline constexpr int kMostRanks = 512;

/// Rows of a slot, for so many slots in all: 128 KiB, but at most 20 MiB for all of them.
constexpr std::size_t slot_rows(std::size_t slots) {
  constexpr std::size_t kLargestSlot = 256;
  constexpr std::size_t kBudget = (std::size_t{20} << 20U) / gpu::wire_row_bytes;
  return std::clamp<std::size_t>(kBudget / std::max<std::size_t>(slots, 1), 8, kLargestSlot);
}

/// Rows of a segment, for the longest run of rows that one rank sends to another: enough segments to hide the codec
/// behind the wire, but none so small that its latency shows. The same on all ranks.
constexpr std::size_t segment_rows(std::size_t longest_run, std::size_t largest) {
  constexpr std::size_t kPipelineDepth = 8;
  constexpr std::size_t kSmallestSegment = 32;
  return std::clamp((longest_run + kPipelineDepth - 1) / kPipelineDepth, std::min(kSmallestSegment, largest), largest);
}

}  // namespace airamp::pmpi
