// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

// In a broadcast and in a scatter all others wait for the root, natively too. So these are the collectives of which a
// rank can say alone what is done: where the ranks share memory the root says it to them in a message (BroadcastRing),
// which of short calls holds the data; the agreement is then no more than that message, and the root waits for nobody.

/// This rank's part of such a call, where some of its kind are posted: once per call that is not empty, and before
/// anything else is done with it. `bytes`: as this rank sees it. Returns an MPI error code if the call is over; nothing
/// if it is to be looked at as any other, on all ranks.
std::optional<int> run_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state);

/// The rest of one to which this rank has gone on by `known.post`, if the ranks look for a message.
std::optional<int> end_posted_by_root(const CollectiveCall& call, std::uint64_t bytes, CommunicatorState& state);

/// What it costs a call that is not posted, right after a meeting, where there is a ring. Returns an MPI error code.
int look_for_nothing(const CollectiveCall& call, CommunicatorState& state);

}  // namespace airamp::pmpi
