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

/// Whether a call names a root that there is not, in a communicator of one group: the MPI library refuses it on this
/// rank without a word to the others.
inline bool has_no_such_root(const CollectiveCall& call, const CommunicatorState& state) {
  const DataFlow flow = data_flow_of(call.kind());
  const bool has_root = flow == DataFlow::all_to_root || flow == DataFlow::root_to_all;
  return has_root && (call.root() < 0 || call.root() >= state.size);
}

/// Whether `admit` finds a call like this one worth a question, as it found one before it: shared memory might carry
/// it. The same on all ranks after the same call. Local.
bool is_still_admitted(const CommunicatorState& state, Kind kind, std::uint64_t bytes);

/// Whether `admit` still counts calls like this one: a communicator's first ones, until they have earned memory that
/// its ranks share. The same on all ranks after the same call. Local.
bool is_counted(const CommunicatorState& state, Kind kind, std::uint64_t bytes);

}  // namespace airamp::pmpi
