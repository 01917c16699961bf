// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

#include "pmpi/call/collective_data.hpp"
#include "pmpi/group/host/host_group.hpp"

namespace airamp::pmpi {

/// Takes what each rank has laid out for the meeting of number `turn`, one block of one chunk, this rank's own as well
/// if `with_own`. `block_of(rank)` says where that goes, and how many bytes it has.
template <class BlockOf>
void take_blocks(const HostGroup& group, std::size_t turn, bool with_own, const BlockOf& block_of) {
  for (int step = with_own ? 0 : 1; step < group.size(); ++step) {
    const int sum = group.rank() + step;  // not all from the same one at once
    const int rank = sum < group.size() ? sum : sum - group.size();
    const GatherBlock block = block_of(rank);
    if (block.elements == 0) continue;
    std::memcpy(block.output, group.short_contribution(rank, turn, block.elements), block.elements);
  }
}

}  // namespace airamp::pmpi
