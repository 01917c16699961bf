// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/shared_memory_gather.hpp"

#include <algorithm>
#include <cstring>

namespace airamp::pmpi {
SharedMemoryGather::SharedMemoryGather(HostGroup& group, const LocalFacts& facts)
    : group_(group), element_bytes_(gpu::size_of(facts.type)) {}

std::size_t SharedMemoryGather::longest_block(const CollectiveData& data) const {
  std::size_t elements = 0;
  for (const GatherBlock& block : data.blocks) elements = std::max(elements, block.elements);
  return elements * element_bytes_;
}

std::size_t SharedMemoryGather::bytes_in_chunk(const GatherBlock& block, std::size_t chunk) const {
  const std::size_t bytes = block.elements * element_bytes_;
  const std::size_t begin = chunk * group_.chunk_bytes();
  return begin < bytes ? std::min(group_.chunk_bytes(), bytes - begin) : 0;
}

void SharedMemoryGather::contribute(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const std::size_t bytes = bytes_in_chunk(data.blocks[static_cast<std::size_t>(group_.rank())], chunk);
  if (bytes == 0) return;
  std::memcpy(group_.contribution(group_.rank(), turn),
              static_cast<const std::byte*>(data.input) + chunk * group_.chunk_bytes(), bytes);
}

void SharedMemoryGather::read(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  for (int step = 0; step < group_.size(); ++step) {
    const int rank = (group_.rank() + step) % group_.size();  // not all from the same one at once
    const GatherBlock& block = data.blocks[static_cast<std::size_t>(rank)];
    const std::size_t bytes = bytes_in_chunk(block, chunk);
    const bool there = rank == group_.rank() && block.output == data.input;
    if (bytes == 0 || there) continue;
    std::memcpy(block.output + chunk * group_.chunk_bytes(), group_.contribution(rank, turn), bytes);
  }
}

// As of allreduce: what is laid out for the next meeting lies where nobody reads any more.

bool SharedMemoryGather::stage(const CollectiveData& data) {
  if (longest_block(data) > HostGroup::max_staged_bytes) return false;
  contribute(data, 0, group_.meeting().meetings() + 1);
  return true;
}

void SharedMemoryGather::finish(const CollectiveData& data) { read(data, 0, group_.meeting().meetings()); }

int SharedMemoryGather::execute(const CollectiveData& data) {
  const std::size_t bytes = longest_block(data);
  const std::size_t chunks = (bytes + group_.chunk_bytes() - 1) / group_.chunk_bytes();
  for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
    contribute(data, chunk, group_.meeting().meetings() + 1);
    if (!group_.meet()) return MPI_ERR_OTHER;
    read(data, chunk, group_.meeting().meetings());
  }
  return MPI_SUCCESS;
}

}  // namespace airamp::pmpi
