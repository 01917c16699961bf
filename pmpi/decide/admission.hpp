// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/reason.hpp"
#include "pmpi/call/collective_call.hpp"
#include "pmpi/mpi/result.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether the ranks talk about a call at all.
struct Admission {
  CommunicatorState* state = nullptr;               ///< none: the call is native
  Reason no_compression = Reason::compression_off;  ///< as Wish::no_compression

  bool admitted() const { return state != nullptr; }
};

/// Decides by what is the same on all ranks without a question: the communicator, the function, the job's settings and
/// `bytes`, the call's. Local. An error is one that the application's error handler was told of.
Result<Admission> admit(const CollectiveCall& call, std::uint64_t bytes);

/// Communicators of fewer calls than this would not earn the memory that their ranks share.
inline constexpr std::uint64_t calls_before_sharing = 32;

/// Whether a call may be worth an agreement on carrying it through shared memory: some calls on a communicator are not.
/// Counts them, so it is asked once for each call that may be accelerated, on all ranks or on none, until the ranks
/// have such memory.
bool may_share_memory(CommunicatorState& state, Kind kind, std::uint64_t bytes);

}  // namespace airamp::pmpi
