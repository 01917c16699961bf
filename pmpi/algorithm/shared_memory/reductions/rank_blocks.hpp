// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/cache_line.hpp"
#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/group/host/host_group.hpp"

namespace airamp::pmpi {

/// Vectors that have a block for every rank, one behind the other. A chunk of them has a piece of every block.
class RankBlocks {
 public:
  RankBlocks(const HostGroup& group, std::size_t block_bytes)
      : rank_(group.rank()),
        ranks_(static_cast<std::size_t>(group.size())),
        block_bytes_(block_bytes),
        piece_bytes_(lie_together() ? std::max<std::size_t>(1, block_bytes) : longest_piece(group)) {}

  /// Vectors of so few bytes are laid out as they are, so that they are copied at once.
  static constexpr std::size_t max_together_bytes = 4096;

  /// Of longer ones, bytes of each block that are in a chunk.
  static std::size_t longest_piece(const HostGroup& group) {
    return group.chunk_bytes() / static_cast<std::size_t>(group.size()) / base::cache_line * base::cache_line;
  }

  /// Of all blocks together.
  std::size_t all_bytes() const { return block_bytes_ * ranks_; }

  /// Whether they are laid out as they are.
  bool lie_together() const { return all_bytes() <= max_together_bytes; }

  std::size_t chunks() const { return chunks_of(block_bytes_, piece_bytes_); }

  /// What of each block is in a chunk.
  Chunk piece(std::size_t chunk) const { return chunk_of(block_bytes_, piece_bytes_, chunk); }

  /// Rank `rank`'s block of a vector.
  template <class Byte>
  Byte* block(Byte* vector, int rank) const {
    return vector + static_cast<std::size_t>(rank) * block_bytes_;
  }

  /// Copies a chunk of `vector` to `place`; of long blocks not this rank's own, unless `with_own`.
  void lay_out(const std::byte* vector, std::size_t chunk, std::byte* place, bool with_own) const {
    const auto [begin, bytes] = piece(chunk);
    if (lie_together()) {
      std::memcpy(place, vector, all_bytes());
      return;
    }
    for (int rank = 0; rank < static_cast<int>(ranks_); ++rank) {
      if (rank == rank_ && !with_own) continue;
      std::memcpy(place + static_cast<std::size_t>(rank) * piece_bytes_, block(vector, rank) + begin, bytes);
    }
  }

  /// Where this rank's piece of a chunk is that was laid out at `place`.
  const std::byte* own_piece(const std::byte* place) const {
    return place + static_cast<std::size_t>(rank_) * piece_bytes_;
  }

 private:
  int rank_;
  std::size_t ranks_;
  std::size_t block_bytes_;
  std::size_t piece_bytes_;
};

}  // namespace airamp::pmpi
