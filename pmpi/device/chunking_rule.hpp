// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "codec/codec.hpp"
#include "pmpi/mpi/mpi.hpp"

namespace airamp::pmpi {

/// Most ranks that exchange every row directly with one another; beyond, messages get too small to be worth it.
inline constexpr int max_ranks = 512;

/// Rows of the largest chunk: the largest message that the MPI library sends eagerly over TCP (Open MPI's btl/tcp: 64
/// KiB with its header; MPICH over UCX: measured). A larger one waits for its receiver's answer, which comes through
/// the same connection behind megabytes of the receiver's own data: two hosts at 1 Gbit/s then used half of the wire.
#ifdef OPEN_MPI
inline constexpr std::size_t largest_chunk = 120;
#else
inline constexpr std::size_t largest_chunk = 30;
#endif

/// Rows of a slot, for so many slots in all: a largest chunk, but at most 20 MiB for all slots.
constexpr std::size_t slot_rows(std::size_t slots) {
  constexpr std::size_t budget = (std::size_t{20} << 20U) / codec::wire_row_bytes;
  return std::clamp<std::size_t>(budget / std::max<std::size_t>(slots, 1), 1, largest_chunk);
}

/// Rows of a chunk, for the longest run of rows that one rank sends to another: enough chunks to hide the codec
/// behind the wire, but none so small that its latency shows. Where chunks are coded in groups, the largest: those of
/// a group then lie one behind the other. The same on all ranks.
constexpr std::size_t chunk_rows(std::size_t longest_run, std::size_t largest, std::size_t group_chunks = 1) {
  if (group_chunks > 1) return largest;
  constexpr std::size_t pipeline_depth = 8;
  constexpr std::size_t smallest_chunk = 32;
  return std::clamp((longest_run + pipeline_depth - 1) / pipeline_depth, std::min(smallest_chunk, largest), largest);
}

}  // namespace airamp::pmpi
