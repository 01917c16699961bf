// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Carries out a call of a collective that may be accelerated: natively, measured, or by an agreed algorithm.
/// `bytes`: the call's. `compress`: whether the user opted in to compressing it; equal on all ranks. The caller is
/// inside a wrapper. Returns the MPI error code for the application.
int accelerate(const CollectiveCall& call, CommunicatorState& state, std::uint64_t bytes, Reason no_compression);

}  // namespace airamp::pmpi
