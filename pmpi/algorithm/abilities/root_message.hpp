// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "core/collective_kind.hpp"
#include "pmpi/call/collective_data.hpp"
#include "pmpi/group/host/broadcast_ring.hpp"

namespace airamp::pmpi {

// What a root leaves for all others in one message, of which each takes its part: of a broadcast the vector, of a
// scatter the blocks of all ranks. Of MPI_Scatterv where they begin stands before them, and the root keeps its own.

constexpr bool may_be_posted_by_root(CollectiveKind kind) {
  return kind == CollectiveKind::bcast || kind == CollectiveKind::scatter || kind == CollectiveKind::scatterv;
}

/// Where blocks of any length begin in a message, by rank, and where the last one ends: before them.
class BeginsOfBlocks {
 public:
  explicit BeginsOfBlocks(std::byte* message) : numbers_(message) {}
  static constexpr std::size_t bytes(int ranks) { return (static_cast<std::size_t>(ranks) + 1) * sizeof(Number); }

  std::size_t of(int rank) const {
    Number number = 0;
    std::memcpy(&number, place(rank), sizeof number);
    return number;
  }
  void set(int rank, std::size_t begin) const {
    const auto number = static_cast<Number>(begin);
    std::memcpy(place(rank), &number, sizeof number);
  }

 private:
  using Number = std::uint16_t;
  static_assert(BroadcastRing::max_bytes <= std::numeric_limits<Number>::max());

  std::byte* place(int rank) const { return numbers_ + static_cast<std::size_t>(rank) * sizeof(Number); }

  std::byte* numbers_;
};

/// Bytes of the message of a call of so many bytes: of the vector, of a block, or of all that is sent to others.
constexpr std::uint64_t message_bytes(CollectiveKind kind, std::uint64_t bytes, int ranks) {
  if (kind == CollectiveKind::scatterv) return bytes + BeginsOfBlocks::bytes(ranks);
  return kind == CollectiveKind::scatter ? bytes * static_cast<std::uint64_t>(ranks) : bytes;
}

/// Whether messages of calls of up to so many bytes have room.
constexpr bool fits_root_message(CollectiveKind kind, std::uint64_t max_bytes, int ranks) {
  return may_be_posted_by_root(kind) && max_bytes <= BroadcastRing::max_bytes &&  // first, lest the product wrap
         message_bytes(kind, max_bytes, ranks) <= BroadcastRing::max_bytes;
}

/// Bytes of the call that has a message of so many.
constexpr std::uint64_t call_bytes(CollectiveKind kind, std::size_t bytes_of_message, int ranks) {
  if (kind == CollectiveKind::scatterv) return bytes_of_message - BeginsOfBlocks::bytes(ranks);
  return kind == CollectiveKind::scatter ? bytes_of_message / static_cast<std::size_t>(ranks) : bytes_of_message;
}

/// What rank `rank` takes of a message.
inline BroadcastRing::Part part_of(CollectiveKind kind, const BroadcastRing::Message& message, int rank, int ranks) {
  if (kind == CollectiveKind::scatterv) {
    const BeginsOfBlocks begins(const_cast<std::byte*>(message.data));
    return {.begin = BeginsOfBlocks::bytes(ranks) + begins.of(rank), .bytes = begins.of(rank + 1) - begins.of(rank)};
  }
  const std::uint64_t bytes = call_bytes(kind, message.bytes, ranks);
  return {.begin = kind == CollectiveKind::scatter ? static_cast<std::size_t>(rank) * bytes : 0, .bytes = bytes};
}

/// Room for what has to be put together before it is left.
using MessageRoom = std::array<std::byte, BroadcastRing::max_bytes>;

/// Writes the blocks of all ranks but the root as a message. `block_of`: a rank's, as a SentBlock.
template <class BlockOf>
void write_blocks(std::byte* message, int ranks, int root, const BlockOf& block_of) {
  const BeginsOfBlocks begins(message);
  std::byte* const blocks = message + BeginsOfBlocks::bytes(ranks);
  std::size_t begin = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    begins.set(rank, begin);
    if (rank == root) continue;
    const SentBlock block = block_of(rank);
    if (block.elements > 0) std::memcpy(blocks + begin, block.input, block.elements);
    begin += block.elements;
  }
  begins.set(ranks, begin);
}

/// A root's message of a call of so many bytes, for which there is room.
inline BroadcastRing::Message root_message(CollectiveKind kind, const CollectiveData& data, std::uint64_t bytes,
                                           int ranks, MessageRoom& room) {
  const bool is_put_together = kind == CollectiveKind::scatterv;
  if (is_put_together) {
    write_blocks(room.data(), ranks, data.root, [&](int rank) { return data.sent[static_cast<std::size_t>(rank)]; });
  }
  return {.data = is_put_together ? room.data() : static_cast<const std::byte*>(data.input),
          .bytes = message_bytes(kind, bytes, ranks)};
}

/// What a root gives to itself, of a scatter.
inline SentBlock own_block(CollectiveKind kind, const CollectiveData& data) {
  const auto root = static_cast<std::size_t>(data.root);
  if (kind == CollectiveKind::scatterv) return data.sent[root];
  return {.input = static_cast<const std::byte*>(data.input) + root * data.elements, .elements = data.elements};
}

}  // namespace airamp::pmpi
