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
  auto* const output = static_cast<std::byte*>(data.output);
  if (all.lie_together()) {
    const std::size_t before = static_cast<std::size_t>(group_.rank()) * data.elements * element_bytes();
    const Piece own{.begin = before, .elements = data.elements, .bytes = all.all_bytes()};
    return reduce_piece(*known_order(data), own, turn, output);
  }
  const auto [begin, bytes] = all.piece(chunk);
  const std::byte* const own = all.block(static_cast<const std::byte*>(data.input), group_.rank()) + begin;
  const bool in_place = reads_own_in_place(data);
  const auto contribution = [&](int rank) {
    return in_place && rank == group_.rank() ? own : all.own_piece(group_.contribution(rank, turn));
  };
  reduce(data, bytes / element_bytes(), contribution, output + begin);
}

BriefExchange SharedMemoryReduceScatter::brief_exchange(const CollectiveData& data) {
  return {.meeting = &group_.meeting(),
          .leaves = leave_briefly,
          .takes = take_briefly,
          .algorithm = static_cast<SharedMemoryReduction*>(this),
          .lines_of_code = 8,
          .elements = data.elements};
}

void SharedMemoryReduceScatter::leave_briefly(const BriefExchange& exchange, const void* input,
                                              const void* /*output*/) {
  auto& own = static_cast<SharedMemoryReduceScatter&>(*static_cast<SharedMemoryReduction*>(exchange.algorithm));
  own.SharedMemoryReduceScatter::lay_out({.input = input, .elements = exchange.elements}, 0,
                                         exchange.meeting->meetings() + 1);
}

bool SharedMemoryReduceScatter::take_briefly(const BriefExchange& exchange, const void* input, void* output) {
  auto& own = static_cast<SharedMemoryReduceScatter&>(*static_cast<SharedMemoryReduction*>(exchange.algorithm));
  own.SharedMemoryReduceScatter::take({.input = input, .output = output, .elements = exchange.elements}, 0,
                                      exchange.meeting->meetings());
  return true;
}

}  // namespace airamp::pmpi
