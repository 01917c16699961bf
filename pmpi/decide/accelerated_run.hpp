// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "pmpi/call/collective_call.hpp"
#include "pmpi/decide/expected_call.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// The trouble of an algorithm becomes the application's through its communicator's error handler, and the signature's
/// end. Returns the error code for the application.
int raise(const CollectiveCall& call, SignatureState& signature, int error);

/// Runs a call by the algorithm that all ranks have agreed on. `recurs`: agreed, whether it is bound to the buffers of
/// all ranks. If `done` is false, on all ranks, the call is still to be run.
int run_accelerated(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                    std::size_t candidate, bool recurs, bool& done);

/// Runs a call by an algorithm that asks for the ranks' consent along with its first messages. `view`: what the calls
/// of this signature were so far; `consent`: whether this rank finds the same of this call. If some rank does not,
/// `agreed` is false on all and the call is still to be run.
int run_asking(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
               std::size_t candidate, bool consent, bool& agreed);

/// Lays out the data of a call for the others before the ranks agree on it, if the plan's algorithm can.
bool stage(const CollectiveCall& call, const ReadyPlan& plan);

/// The rest of a call that all ranks have staged and agreed on.
void finish_staged(const CollectiveCall& call, CommunicatorState& state, const ReadyPlan& plan);

}  // namespace airamp::pmpi
