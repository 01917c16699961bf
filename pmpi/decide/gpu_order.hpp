// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What a communicator's plans on GPU buffers owe to the application, whose GPU it is.
#pragma once

#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// Whether the application has reset a GPU on which this rank holds something for the communicator. Local.
bool has_lost_gpu(const CommunicatorState& state);

/// Gives up what is held on GPUs for the communicator, so that it is acquired anew; what was lost is forgotten. On all
/// ranks after the same call.
void forget_gpus(CommunicatorState& state);

}  // namespace airamp::pmpi
