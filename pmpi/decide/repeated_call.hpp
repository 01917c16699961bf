// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/call/collective_data.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Carries out a call as `decide` and `carry_out` would that find of it what they found of the one whose shortcut it
/// has: it goes native while its agreements pause, or through shared memory with its agreement. Returns an MPI error
/// code, or nothing if the call is to be looked at; `staged` are then the data with which this rank has come to its
/// agreement, if it has.
///
/// Between two calls an application uses up the caches: what a short call costs is the number of cache lines of code
/// and data that it touches. So this is kept short, and what it touches together (scripts/count-cache-lines).
std::optional<int> repeat(const CollectiveCall& collective, CommunicatorState& state, Shortcut& known,
                          std::optional<CollectiveData>& staged);

}  // namespace airamp::pmpi
