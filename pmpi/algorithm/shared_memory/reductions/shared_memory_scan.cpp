// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/reductions/shared_memory_scan.hpp"

#include <algorithm>
#include <cstring>

#include "pmpi/algorithm/chunk.hpp"
#include "pmpi/algorithm/orders/tree_reduction.hpp"

namespace airamp::pmpi {

/// The first rank of an exscan has no operands, and takes nothing.
SharedMemoryScan::SharedMemoryScan(const CommunicatorResources& resources, Kind kind, const LocalFacts& facts)
    : SharedMemoryAlgorithm(resources),
      type_(facts.type),
      op_(facts.op),
      chain_(SummationTree::chain(std::max(1, kind == Kind::scan ? group_.rank() + 1 : group_.rank()))),
      contributions_(static_cast<std::size_t>(chain_.ranks())),
      scratch_(scratch_bytes(chain_)) {}

std::size_t SharedMemoryScan::chunks(const CollectiveData& data) const {
  return chunks_of(bytes_of(data), group_.chunk_bytes());
}

void SharedMemoryScan::lay_out(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  const auto [begin, bytes] = chunk_of(bytes_of(data), group_.chunk_bytes(), chunk);
  std::memcpy(group_.short_contribution(group_.rank(), turn, bytes_of(data)),
              static_cast<const std::byte*>(data.input) + begin, bytes);
}

/// In place, what is overwritten has been laid out.
void SharedMemoryScan::take(const CollectiveData& data, std::size_t chunk, std::size_t turn) {
  if (data.outputs == 0) return;
  const auto [begin, bytes] = chunk_of(bytes_of(data), group_.chunk_bytes(), chunk);
  for (int rank = 0; rank < chain_.ranks(); ++rank) {
    contributions_[static_cast<std::size_t>(rank)] = group_.short_contribution(rank, turn, bytes_of(data));
  }
  reduce_by_tree(chain_, type_, op_, contributions_.data(), bytes / size_of(type_), scratch_.data(),
                 static_cast<std::byte*>(data.output) + begin);
}

}  // namespace airamp::pmpi
