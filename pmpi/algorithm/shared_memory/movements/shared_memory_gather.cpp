// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_gather.hpp"

#include <algorithm>
#include <cstring>

#include "pmpi/algorithm/shared_memory/movements/take_blocks.hpp"

namespace airamp::pmpi {

SharedMemoryGather::SharedMemoryGather(const CommunicatorResources& resources, const LocalFacts& facts)
    : SharedMemoryAlgorithm(resources), element_bytes_(size_of(facts.type)) {}

std::size_t SharedMemoryGather::longest_block(const CollectiveData& data) const {
  std::size_t elements = 0;
  for (const GatherBlock& block : data.blocks) elements = std::max(elements, block.elements);
  return elements * element_bytes_;
}

Chunk SharedMemoryGather::chunk_of_block(const GatherBlock& block, std::size_t chunk) const {
  return chunk_of(block.elements * element_bytes_, group_.chunk_bytes(), chunk);
}

std::size_t SharedMemoryGather::chunks(const CollectiveData& data) const {
  return chunks_of(longest_block(data), group_.chunk_bytes());
}

void SharedMemoryGather::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const auto [begin, bytes] = chunk_of_block(data.blocks[static_cast<std::size_t>(group_.rank())], chunk);
  if (bytes == 0) return;
  std::memcpy(place(data, group_.rank(), turn), static_cast<const std::byte*>(data.input) + begin, bytes);
}

void SharedMemoryGather::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  for (int step = 0; step < group_.size(); ++step) {
    const int rank = (group_.rank() + step) % group_.size();  // not all from the same one at once
    const GatherBlock& block = data.blocks[static_cast<std::size_t>(rank)];
    const auto [begin, bytes] = chunk_of_block(block, chunk);
    const bool there = rank == group_.rank() && block.output == data.input;
    if (bytes == 0 || there) continue;
    std::memcpy(block.output + begin, place(data, rank, turn), bytes);
  }
}

BriefExchange SharedMemoryGather::brief_exchange(const CollectiveData& data) {
  return {.meeting = &group_.meeting(),
          .leaves = leave_briefly,
          .takes = take_briefly,
          .group = &group_,
          .bytes = longest_block(data)};
}

void SharedMemoryGather::leave_briefly(const BriefExchange& exchange, const void* input, const void* output) {
  const HostGroup& group = *exchange.group;
  const auto* from = static_cast<const std::byte*>(input);
  if (exchange.in_place) {
    from = static_cast<const std::byte*>(output) + static_cast<std::size_t>(group.rank()) * exchange.bytes;
  }
  const std::size_t turn = exchange.meeting->meetings() + 1;
  std::memcpy(group.short_contribution(group.rank(), turn, exchange.bytes), from, exchange.bytes);
}

bool SharedMemoryGather::take_briefly(const BriefExchange& exchange, const void* /*input*/, void* output) {
  const HostGroup& group = *exchange.group;
  auto* const blocks = static_cast<std::byte*>(output);
  take_blocks(group, exchange.meeting->meetings(), !exchange.in_place, [&](int rank) {
    return GatherBlock{.output = blocks + static_cast<std::size_t>(rank) * exchange.bytes, .elements = exchange.bytes};
  });
  return true;
}

std::byte* SharedMemoryGather::place(const CollectiveData& data, int rank, std::size_t turn) const {
  return group_.short_contribution(rank, turn, data.blocks[static_cast<std::size_t>(rank)].elements * element_bytes_);
}

}  // namespace airamp::pmpi
