// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_uneven_reduce_scatter.hpp"

#include <algorithm>
#include <cstring>

#include "pmpi/algorithm/shared_memory/reductions/rank_blocks.hpp"

namespace airamp::pmpi {

std::size_t SharedMemoryUnevenReduceScatter::all_bytes(const CollectiveData& data) const {
  std::size_t elements = 0;
  for (const SentBlock& block : data.sent) elements += block.elements;
  return elements * element_bytes();
}

std::size_t SharedMemoryUnevenReduceScatter::piece_bytes() const { return RankBlocks::longest_piece(group_); }

Chunk SharedMemoryUnevenReduceScatter::piece(const SentBlock& block, std::size_t chunk) const {
  return chunk_of(block.elements * element_bytes(), piece_bytes(), chunk);
}

std::size_t SharedMemoryUnevenReduceScatter::chunks(const CollectiveData& data) const {
  if (data.is_even()) return SharedMemoryReduceScatter::chunks(data);
  if (lie_together(data)) return 1;
  std::size_t longest = 0;
  for (const SentBlock& block : data.sent) longest = std::max(longest, block.elements);
  return chunks_of(longest * element_bytes(), piece_bytes());
}

bool SharedMemoryUnevenReduceScatter::lie_together(const CollectiveData& data) const {
  return all_bytes(data) <= RankBlocks::max_together_bytes;
}

void SharedMemoryUnevenReduceScatter::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.is_even()) return SharedMemoryReduceScatter::lay_out(data, chunk, turn);
  if (lie_together(data)) {
    std::memcpy(group_.short_contribution(group_.rank(), turn, all_bytes(data)), data.input, all_bytes(data));
    return;
  }
  std::byte* to = group_.contribution(group_.rank(), turn);
  for (const SentBlock& block : data.sent) {
    const auto [begin, bytes] = piece(block, chunk);
    std::memcpy(to, block.input + begin, bytes);
    to += piece_bytes();
  }
}

/// In place, the result goes to the beginning of the vector, and never further than what has been laid out: a byte is
/// as far from the beginning of the vector as from that of its block at least.
void SharedMemoryUnevenReduceScatter::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.is_even()) return SharedMemoryReduceScatter::take(data, chunk, turn);
  const auto own = static_cast<std::size_t>(group_.rank());
  auto* const output = static_cast<std::byte*>(data.output);
  if (lie_together(data)) {
    const std::ptrdiff_t before = data.sent[own].input - static_cast<const std::byte*>(data.input);
    const Piece block{.begin = static_cast<std::size_t>(before), .elements = data.elements, .bytes = all_bytes(data)};
    return reduce_piece(*known_order(data), block, turn, output);
  }
  const auto [begin, bytes] = piece(data.sent[own], chunk);
  if (bytes == 0) return;
  reduce(
      data, bytes / element_bytes(), [&](int rank) { return group_.contribution(rank, turn) + own * piece_bytes(); },
      output + begin);
}

BriefExchange SharedMemoryUnevenReduceScatter::brief_exchange(const CollectiveData& data) {
  return data.is_even() ? SharedMemoryReduceScatter::brief_exchange(data) : BriefExchange{};
}

}  // namespace airamp::pmpi
