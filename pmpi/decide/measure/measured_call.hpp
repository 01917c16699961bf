// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "pmpi/decide/call.hpp"
#include "tuner/signature_tuner.hpp"

namespace airamp::pmpi {

/// What came of a measured call.
struct MeasuredCall {
  int algorithm_error = MPI_SUCCESS;
  int native_error = MPI_SUCCESS;  ///< also of the agreements around it
  tuner::CallMeasurement agreed;   ///< the same on all ranks; without candidates where the call failed on some
  double seconds_beyond_native = 0;
};

/// Runs a call natively and takes note of its time, the slowest rank's. Collective. Returns an MPI error code.
int time_native(const Call& call, SignatureState& signature);

/// Runs a call natively, for the application, and by all algorithms that the signature holds, to scratch; agrees with
/// the other ranks on times and errors. Collective. Throws std::bad_alloc.
MeasuredCall measure(const Call& call, SignatureState& signature);

/// Takes note of what was agreed, of a call that did not fail.
void take_measurement(const Call& call, SignatureState& signature, const MeasuredCall& measured);

}  // namespace airamp::pmpi
