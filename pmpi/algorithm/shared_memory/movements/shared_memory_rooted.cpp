// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_rooted.hpp"

#include <cstring>

namespace airamp::pmpi {

void SharedMemoryRootedGather::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (is_root(data)) return;
  const auto [begin, bytes] = piece(data, chunk);
  std::memcpy(group_.short_contribution(group_.rank(), turn, data.elements),
              static_cast<const std::byte*>(data.input) + begin, bytes);
}

void SharedMemoryRootedGather::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (!is_root(data)) return;
  const auto [begin, bytes] = piece(data, chunk);
  for (int rank = 0; rank < group_.size(); ++rank) {
    std::byte* const to = block(static_cast<std::byte*>(data.output), rank, data);
    const bool own = rank == data.root;
    if (own && to == data.input) continue;
    const std::byte* const from =
        own ? static_cast<const std::byte*>(data.input) + begin : group_.short_contribution(rank, turn, data.elements);
    std::memcpy(to + begin, from, bytes);
  }
}

/// The root leaves nothing, and of the others none takes anything.
BriefExchange SharedMemoryRootedGather::brief_exchange(const CollectiveData& data) {
  BriefExchange exchange{.meeting = &group_.meeting(), .group = &group_, .elements = data.elements};
  if (is_root(data)) {
    exchange.takes = take_briefly;
    return exchange;
  }
  exchange.bytes = data.elements;
  const bool is_copied_in_words = data.elements <= HostMeeting::max_data_bytes && data.elements % 4 == 0;
  if (!is_copied_in_words) exchange.leaves = leave_input;
  return exchange;
}

bool SharedMemoryRootedGather::take_briefly(const BriefExchange& exchange, const void* input, void* output) {
  const HostGroup& group = *exchange.group;
  const std::size_t block = exchange.elements;
  const std::size_t turn = exchange.meeting->meetings();
  auto* to = static_cast<std::byte*>(output);
  for (int rank = 0; rank < group.size(); ++rank, to += block) {
    const bool own = rank == group.rank();
    if (own && exchange.in_place) continue;
    const void* const from = own ? input : group.short_contribution(rank, turn, block);
    std::memcpy(to, from, block);
  }
  return true;
}

/// In the places of those that get it: behind the last meeting of a call nobody may read places of the next turn.
void SharedMemoryScatter::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (!is_root(data)) return;
  const auto [begin, bytes] = piece(data, chunk);
  for (int rank = 0; rank < group_.size(); ++rank) {
    if (rank == data.root) continue;
    std::memcpy(group_.contribution(rank, turn), block(static_cast<const std::byte*>(data.input), rank, data) + begin,
                bytes);
  }
}

void SharedMemoryScatter::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.outputs == 0) return;
  const auto [begin, bytes] = piece(data, chunk);
  const std::byte* const from = is_root(data)
                                    ? block(static_cast<const std::byte*>(data.input), data.root, data) + begin
                                    : group_.contribution(group_.rank(), turn);
  std::memcpy(static_cast<std::byte*>(data.output) + begin, from, bytes);
}

}  // namespace airamp::pmpi
