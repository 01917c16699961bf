// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_alltoall.hpp"

#include <cstring>

namespace airamp::pmpi {

void SharedMemoryAlltoall::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  lay_out(blocks(data), data.input, chunk, turn);
}

void SharedMemoryAlltoall::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  take(blocks(data), data.input, data.output, chunk, turn);
}

BriefExchange SharedMemoryAlltoall::brief_exchange(const CollectiveData& data) {
  return {.meeting = &group_.meeting(),
          .leaves = leave_briefly,
          .takes = take_briefly,
          .algorithm = this,
          .bytes = data.elements};
}

void SharedMemoryAlltoall::leave_briefly(const BriefExchange& exchange, const void* input, const void* /*output*/) {
  auto& own = *static_cast<SharedMemoryAlltoall*>(exchange.algorithm);
  own.lay_out({own.group_, exchange.bytes}, input, 0, exchange.meeting->meetings() + 1);
}

bool SharedMemoryAlltoall::take_briefly(const BriefExchange& exchange, const void* input, void* output) {
  auto& own = *static_cast<SharedMemoryAlltoall*>(exchange.algorithm);
  own.take({own.group_, exchange.bytes}, input, output, 0, exchange.meeting->meetings());
  return true;
}

void SharedMemoryAlltoall::lay_out(const RankBlocks& all, const void* input, std::size_t chunk, std::size_t turn) {
  all.lay_out(static_cast<const std::byte*>(input), chunk,
              group_.short_contribution(group_.rank(), turn, all.all_bytes()), false);
}

/// In place, what is overwritten has been laid out.
void SharedMemoryAlltoall::take(const RankBlocks& all, const void* input, void* output, std::size_t chunk,
                                std::size_t turn) {
  const auto [begin, bytes] = all.piece(chunk);
  for (int step = 0; step < group_.size(); ++step) {
    const int rank = (group_.rank() + step) % group_.size();  // not all from the same one at once
    const bool own = rank == group_.rank();
    if (own && output == input) continue;
    const std::byte* const from = own ? all.block(static_cast<const std::byte*>(input), rank) + begin
                                      : all.own_piece(group_.short_contribution(rank, turn, all.all_bytes()));
    std::memcpy(all.block(static_cast<std::byte*>(output), rank) + begin, from, bytes);
  }
}

}  // namespace airamp::pmpi
