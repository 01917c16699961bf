// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_reduce_scatter.hpp"

#include <cstdint>

namespace airamp::pmpi {

bool SharedMemoryReduceScatter::reads_own_in_place(const CollectiveData& data) const {
  return reinterpret_cast<std::uintptr_t>(data.input) % element_bytes() == 0;
}

void SharedMemoryReduceScatter::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const RankBlocks all = blocks(data);
  all.lay_out(static_cast<const std::byte*>(data.input), chunk,
              group_.short_contribution(group_.rank(), turn, all.all_bytes()), !reads_own_in_place(data));
}

/// In place, the result goes to the first block, a chunk at a time: what is overwritten has been laid out.
void SharedMemoryReduceScatter::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const RankBlocks all = blocks(data);
  const auto [begin, bytes] = all.piece(chunk);
  const std::byte* const own = all.block(static_cast<const std::byte*>(data.input), group_.rank()) + begin;
  const bool in_place = reads_own_in_place(data);
  const auto contribution = [&](int rank) {
    return in_place && rank == group_.rank() ? own
                                             : all.own_piece(group_.short_contribution(rank, turn, all.all_bytes()));
  };
  reduce(data, bytes / element_bytes(), contribution, static_cast<std::byte*>(data.output) + begin);
}

}  // namespace airamp::pmpi
