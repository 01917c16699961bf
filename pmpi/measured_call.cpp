// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/measured_call.hpp"

#include <limits>

#include "pmpi/agreement.hpp"
#include "pmpi/measuring_scratch.hpp"
#include "pmpi/native.hpp"
#include "pmpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// The algorithm's time, with the agreement that every accelerated call needs.
int time_algorithm(const CollectiveCall& call, Algorithm& algorithm, const View& view, std::byte* scratch,
                   double& seconds) {
  if (const int error = native().MPI_Barrier(call.communicator()); error != MPI_SUCCESS) return error;
  const Stopwatch watch;
  Consent consent = Consent::none;
  if (const int error = agree_on_view(call.communicator(), view, true, consent); error != MPI_SUCCESS) return error;
  const int error = call.run_to_scratch(algorithm, scratch);
  seconds = watch.seconds();
  return error;
}

/// This rank's time of the native call.
int time_native_here(const CollectiveCall& call, double& seconds) {
  if (const int error = native().MPI_Barrier(call.communicator()); error != MPI_SUCCESS) return error;
  const Stopwatch watch;
  const int error = call.run_native();
  seconds = watch.seconds();
  return error;
}

}  // namespace

int time_native(const CollectiveCall& call, double& seconds) {
  if (const int error = time_native_here(call, seconds); error != MPI_SUCCESS) return error;
  tuner::CallMeasurement agreed{.native_seconds = seconds, .candidates = {}};
  const int error = agree_on_measurement(call.communicator(), agreed);
  seconds = agreed.native_seconds;
  return error;
}

MeasuredCall measure(const CollectiveCall& call, Algorithm& algorithm, const View& view) {
  MeasuredCall result;
  const Stopwatch total;
  double native_seconds = 0;
  tuner::CandidateMeasurement candidate{.seconds = std::numeric_limits<double>::infinity(),
                                        .relative_error = std::numeric_limits<double>::infinity(),
                                        .maximum_error = std::numeric_limits<double>::infinity()};

  const MeasuringScratch scratch(call.scratch_bytes());
  bool scratch_everywhere = false;
  result.native_error = agree_on_success(call.communicator(), scratch.data() != nullptr, scratch_everywhere);
  if (result.native_error != MPI_SUCCESS) return result;
  if (scratch_everywhere) {  // first, since the native result may overwrite the input
    result.algorithm_error = time_algorithm(call, algorithm, view, scratch.data(), candidate.seconds);
    if (result.algorithm_error != MPI_SUCCESS) return result;
  }

  result.native_error = time_native_here(call, native_seconds);
  if (result.native_error != MPI_SUCCESS) return result;
  if (scratch_everywhere) {
    const ResultError error = call.compare(view, scratch.data());
    candidate.relative_error = error.relative();
    candidate.maximum_error = error.maximum();
  }
  result.agreed = {.native_seconds = native_seconds, .candidates = {candidate}};
  result.native_error = agree_on_measurement(call.communicator(), result.agreed);
  result.seconds_beyond_native = total.seconds() - native_seconds;
  return result;
}

}  // namespace airamp::pmpi
