// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "gpu/peer/collective.hpp"
#include "pmpi/group/host/host_meeting.hpp"

namespace airamp::pmpi {

/// Lengths of blocks in some unit, by rank.
using BlockLengths = std::array<std::uint64_t, gpu::max_peers>;

/// What ranks hear of the blocks of an exchange.
struct HeardLengths {
  BlockLengths received{};    ///< of what each rank sends to this one
  std::uint64_t longest = 0;  ///< of all blocks between any two ranks; the same on all
};

/// Collective over the ranks of a meeting, `size` of them: each says how much it sends to each. A meeting or two. What
/// is heard if one fails means nothing: `meeting.has_failed()`.
HeardLengths tell_lengths(HostMeeting& meeting, int rank, int size, const BlockLengths& sent) noexcept;

}  // namespace airamp::pmpi
