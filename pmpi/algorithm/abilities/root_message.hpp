// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/collective_kind.hpp"
#include "pmpi/group/host/broadcast_ring.hpp"

namespace airamp::pmpi {

// What a root leaves for all others in one message: of a broadcast the vector, which each of them takes, of a scatter
// the blocks of all ranks, of which each takes its own.

constexpr bool may_be_posted_by_root(CollectiveKind kind) {
  return kind == CollectiveKind::bcast || kind == CollectiveKind::scatter;
}

/// Bytes of the message of a call of so many bytes: of the vector, or of a block.
constexpr std::uint64_t message_bytes(CollectiveKind kind, std::uint64_t bytes, int ranks) {
  return kind == CollectiveKind::scatter ? bytes * static_cast<std::uint64_t>(ranks) : bytes;
}

/// Whether messages of calls of up to so many bytes have room.
constexpr bool fits_root_message(CollectiveKind kind, std::uint64_t max_bytes, int ranks) {
  return may_be_posted_by_root(kind) && max_bytes <= BroadcastRing::max_bytes &&  // first, lest the product wrap
         message_bytes(kind, max_bytes, ranks) <= BroadcastRing::max_bytes;
}

/// What one rank takes of a message of so many bytes.
constexpr BroadcastRing::Part own_part(CollectiveKind kind, std::size_t bytes_of_message, int rank, int ranks) {
  if (kind != CollectiveKind::scatter) return {.begin = 0, .bytes = bytes_of_message};
  const std::size_t block = bytes_of_message / static_cast<std::size_t>(ranks);
  return {.begin = static_cast<std::size_t>(rank) * block, .bytes = block};
}

}  // namespace airamp::pmpi
