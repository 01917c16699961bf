// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_alltoall.hpp"

#include <cstring>

namespace airamp::pmpi {

void SharedMemoryAlltoall::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const RankBlocks all = blocks(data);
  all.lay_out(static_cast<const std::byte*>(data.input), chunk,
              group_.short_contribution(group_.rank(), turn, all.all_bytes()), false);
}

/// In place, what is overwritten has been laid out.
void SharedMemoryAlltoall::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const RankBlocks all = blocks(data);
  const auto [begin, bytes] = all.piece(chunk);
  auto* const output = static_cast<std::byte*>(data.output);
  for (int step = 0; step < group_.size(); ++step) {
    const int rank = (group_.rank() + step) % group_.size();  // not all from the same one at once
    const bool own = rank == group_.rank();
    if (own && data.output == data.input) continue;
    const std::byte* const from = own ? all.block(static_cast<const std::byte*>(data.input), rank) + begin
                                      : all.own_piece(group_.short_contribution(rank, turn, all.all_bytes()));
    std::memcpy(all.block(output, rank) + begin, from, bytes);
  }
}

}  // namespace airamp::pmpi
