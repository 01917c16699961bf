// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/cache_line.hpp"
#include "pmpi/algorithm/chunk.hpp"

namespace airamp::pmpi {

/// How an alltoall goes through places that do not hold a whole vector. In a step each rank leaves pieces for some of
/// the others, at most as many as are this far above it, and takes what those as far below it have left for it: pieces
/// of all ranks' blocks at once would be short, and a processor that reads a few lines here and a few there does not
/// fetch ahead.
///
/// Who is above by as much as another is below is in the same step. So a rank's partners of a step are the same in both
/// directions, and what arrives in place overwrites what has left.
class AlltoallSteps {
 public:
  /// Of `ranks` ranks, at least two, with places of `place_bytes` bytes, some cache lines at least.
  AlltoallSteps(int ranks, std::size_t block_bytes, std::size_t place_bytes)
      : ranks_(ranks),
        block_bytes_(block_bytes),
        piece_bytes_(piece_for(static_cast<std::size_t>(ranks), block_bytes, place_bytes)),
        partners_(partners_for(ranks, static_cast<int>(place_bytes / piece_bytes_))),
        pieces_(chunks_of(block_bytes, piece_bytes_)) {}

  std::size_t count() const {
    return pieces_ * chunks_of(static_cast<std::size_t>(ranks_) - 1, static_cast<std::size_t>(partners_));
  }

  /// What of each block is in a step.
  Chunk piece(std::size_t step) const { return chunk_of(block_bytes_, piece_bytes_, step % pieces_); }

  /// Calls `use(above, below, offset)` for this rank's partners of a step: the rank for which a piece is left at that
  /// offset of this rank's place, and the one in whose place this rank's is there.
  template <class Use>
  void for_partners(int rank, std::size_t step, const Use& use) const {
    const int first = static_cast<int>(step / pieces_) * partners_;
    const int last = std::min(first + partners_, ranks_ - 1);
    for (int number = first; number < last; ++number) {
      const int nearer = number / 2 + 1;
      const int distance = number % 2 == 0 ? nearer : ranks_ - nearer;
      use((rank + distance) % ranks_, (rank + ranks_ - distance) % ranks_,
          static_cast<std::size_t>(number - first) * piece_bytes_);
    }
  }

 private:
  static constexpr std::size_t long_piece = 16384;

  static std::size_t piece_for(std::size_t ranks, std::size_t block_bytes, std::size_t place_bytes) {
    const std::size_t longest = std::min(place_bytes / 2, std::max(long_piece, place_bytes / (ranks - 1)));
    const std::size_t lines = std::min(chunks_of(block_bytes, base::cache_line), longest / base::cache_line);
    return std::max<std::size_t>(1, lines) * base::cache_line;
  }

  /// All, or pairs of them, of as many as a place has pieces for.
  static int partners_for(int ranks, int pieces) { return pieces >= ranks - 1 ? ranks - 1 : pieces / 2 * 2; }

  int ranks_;
  std::size_t block_bytes_;
  std::size_t piece_bytes_;
  int partners_;  ///< of a rank in a step
  std::size_t pieces_;
};

}  // namespace airamp::pmpi
