// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/call/collective_call.hpp"
#include "pmpi/state/communicator_state.hpp"
#include "tuner/signature_tuner.hpp"

namespace airamp::pmpi {

/// What came of a measured call.
struct MeasuredCall {
  int algorithm_error = MPI_SUCCESS;
  int native_error = MPI_SUCCESS;  ///< also of the agreements around it
  tuner::CallMeasurement agreed;   ///< the same on all ranks
  double seconds_beyond_native = 0;
};

/// Runs the call natively and agrees with the other ranks on its time, the slowest rank's. Collective. Returns an MPI
/// error code.
int time_native(const CollectiveCall& call, double& seconds);

/// Runs the call natively, for the application, and by all algorithms that the signature holds, to scratch; agrees with
/// the other ranks on times and errors. `gpu`: where this rank's device buffers lie. Collective. Throws std::bad_alloc.
MeasuredCall measure(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                     const gpu::Location& gpu);

}  // namespace airamp::pmpi
