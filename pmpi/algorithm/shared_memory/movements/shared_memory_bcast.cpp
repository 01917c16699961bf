// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_bcast.hpp"

#include <cstring>

#include "pmpi/algorithm/chunk.hpp"

namespace airamp::pmpi {

std::size_t SharedMemoryBcast::chunks(const CollectiveData& data) const {
  return chunks_of(data.elements, group_.chunk_bytes());
}

void SharedMemoryBcast::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (group_.rank() != data.root) return;
  const auto [begin, bytes] = chunk_of(data.elements, group_.chunk_bytes(), chunk);
  std::memcpy(place(data, turn), static_cast<const std::byte*>(data.input) + begin, bytes);
}

void SharedMemoryBcast::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (group_.rank() == data.root) return;
  const auto [begin, bytes] = chunk_of(data.elements, group_.chunk_bytes(), chunk);
  std::memcpy(static_cast<std::byte*>(data.output) + begin, place(data, turn), bytes);
}

std::byte* SharedMemoryBcast::place(const CollectiveData& data, std::size_t turn) const {
  return group_.short_contribution(data.root, turn, data.elements);
}

}  // namespace airamp::pmpi
