// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

// A broadcast is the one collective of which a rank can say alone what is done: all others wait for its root, natively
// too. So where the ranks share memory the root says it to them in a message (BroadcastRing), which for short
// broadcasts holds the data; the agreement is then no more than that message, and the root waits for nobody.

/// The root's part of a broadcast, or the others', where some are posted: once per call that is not empty, and before
/// anything else is done with it. `bytes`: this rank's. Returns an MPI error code if the call is over; nothing if it is
/// to be looked at as any other, on all ranks.
std::optional<int> run_posted(const CollectiveCall& broadcast, std::uint64_t bytes, CommunicatorState& state);

/// The rest of one to which this rank has gone on by `known.post`, if the ranks look for a message.
std::optional<int> end_posted_broadcast(const CollectiveCall& broadcast, std::uint64_t bytes, CommunicatorState& state);

/// What it costs a broadcast that is not posted, right after a meeting, where there is a ring. Returns an MPI error
/// code.
int look_for_nothing(const CollectiveCall& broadcast, CommunicatorState& state);

}  // namespace airamp::pmpi
