// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/call/exchanges/blocks_by_rank.hpp"

namespace airamp::pmpi {

Span span_of(const BlocksByRank& blocks, int ranks) {
  Span span;
  if (blocks.buffer == MPI_IN_PLACE) return span;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto first = static_cast<std::ptrdiff_t>(blocks.displacements[rank]);
    span = join(span, span_of(blocks.type, first, blocks.counts[rank]));
  }
  return span;
}

Span span_of(const TypedBlocksByRank& blocks, int ranks) {
  Span span;
  if (blocks.buffer == MPI_IN_PLACE) return span;
  for (int rank = 0; rank < ranks; ++rank) {
    const Span block = span_of(blocks.types[rank], 0, blocks.counts[rank]);
    const auto shift = static_cast<std::ptrdiff_t>(blocks.displacements[rank]);
    if (block.begin != block.end) span = join(span, {.begin = block.begin + shift, .end = block.end + shift});
  }
  return span;
}

std::vector<Rows> rows_of(const BlocksByRank& blocks, int ranks, int skipped) {
  std::vector<Rows> rows;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto first = static_cast<std::ptrdiff_t>(blocks.displacements[rank]);
    if (rank != skipped) add_rows(rows, rows_of(blocks.type, first, blocks.counts[rank]));
  }
  return rows;
}

std::vector<Rows> rows_of(const TypedBlocksByRank& blocks, int ranks) {
  std::vector<Rows> rows;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<Rows> block = rows_of(blocks.types[rank], 0, blocks.counts[rank]);
    for (Rows& row : block) row.begin += static_cast<std::ptrdiff_t>(blocks.displacements[rank]);
    add_rows(rows, block);
  }
  return rows;
}

}  // namespace airamp::pmpi
