// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/measured_call.hpp"

#include <unistd.h>

#include <limits>
#include <new>
#include <vector>

#include "pmpi/agreement.hpp"
#include "pmpi/native.hpp"
#include "pmpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

/// Whether every processor's rank could take so much without bringing the host near its end: memory that is not there
/// kills the application when it is written to, not when it is asked for.
bool affordable(std::size_t bytes) {
  const long pages = sysconf(_SC_AVPHYS_PAGES);
  const long page_size = sysconf(_SC_PAGESIZE);
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (pages <= 0 || page_size <= 0 || processors <= 0) return false;
  const auto available = static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_size);
  return bytes <= available / 2 / static_cast<std::size_t>(processors);
}

/// Memory that was written to, so that no page fault is measured; empty if there is none to be had.
std::vector<std::byte> scratch_of(std::size_t bytes) {
  if (!affordable(bytes)) return {};
  try {
    return std::vector<std::byte>(bytes);
  } catch (const std::bad_alloc&) {
    return {};
  }
}

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

}  // namespace

MeasuredCall measure(const CollectiveCall& call, Algorithm& algorithm, const View& view) {
  MeasuredCall result;
  const Stopwatch total;
  double native_seconds = 0;
  tuner::CandidateMeasurement candidate{.seconds = std::numeric_limits<double>::infinity(),
                                        .relative_error = std::numeric_limits<double>::infinity(),
                                        .maximum_error = std::numeric_limits<double>::infinity()};

  std::vector<std::byte> scratch = scratch_of(call.scratch_bytes());
  bool scratch_everywhere = false;
  result.native_error = agree_on_success(call.communicator(), !scratch.empty(), scratch_everywhere);
  if (result.native_error != MPI_SUCCESS) return result;
  if (scratch_everywhere) {  // first, since the native result may overwrite the input
    result.algorithm_error = time_algorithm(call, algorithm, view, scratch.data(), candidate.seconds);
    if (result.algorithm_error != MPI_SUCCESS) return result;
  }

  result.native_error = native().MPI_Barrier(call.communicator());
  if (result.native_error != MPI_SUCCESS) return result;
  {
    const Stopwatch watch;
    result.native_error = call.run_native();
    native_seconds = watch.seconds();
    if (result.native_error != MPI_SUCCESS) return result;
  }
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
