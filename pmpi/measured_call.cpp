// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/measured_call.hpp"

#include <algorithm>
#include <limits>

#include "pmpi/agreement.hpp"
#include "pmpi/native.hpp"
#include "pmpi/stopwatch.hpp"
#include "pmpi/trial.hpp"

namespace airamp::pmpi {
namespace {

constexpr double not_run = std::numeric_limits<double>::infinity();

/// How often an algorithm is run in one measured call; equal on all ranks. GPU collectives take microseconds, where one
/// sample says little.
std::size_t repetitions(const View& view, std::uint64_t bytes) {
  if (view.memory != Memory::device) return 1;
  return bytes <= 1U << 20U ? 9 : bytes <= 32U << 20U ? 5 : 3;
}

/// This rank's time of an algorithm, with the agreement that every accelerated call needs.
int time_algorithm(const CollectiveCall& call, CommunicatorState& state, Algorithm& algorithm, const View& view,
                   const CollectiveData& data, double& seconds) {
  if (const int error = native().MPI_Barrier(call.communicator()); error != MPI_SUCCESS) return error;
  const Stopwatch watch;
  Consent consent = Consent::none;
  if (const int error = agree_on_view(call.communicator(), state, view, true, consent); error != MPI_SUCCESS) {
    return error;
  }
  const int error = algorithm.execute(data);
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

double median(std::vector<double>::iterator begin, std::vector<double>::iterator end) {
  const auto middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end);
  return *middle;
}

/// One candidate's runs; times go to `seconds`.
int run_candidate(const CollectiveCall& call, CommunicatorState& state, Path path, Algorithm& algorithm,
                  const View& view, Trial& trial, std::vector<double>::iterator seconds, std::size_t count) {
  for (std::size_t run = 0; run < count; ++run) {
    if (run == 0 && !trial.restore_input()) return MPI_ERR_OTHER;
    const int error = time_algorithm(call, state, algorithm, view, trial.data(), seconds[static_cast<long>(run)]);
    if (error != MPI_SUCCESS) return error;
    if (run == 0 && is_lossy(path) && !trial.keep_result()) return MPI_ERR_OTHER;
  }
  return MPI_SUCCESS;
}

}  // namespace

int time_native(const CollectiveCall& call, double& seconds) {
  if (const int error = time_native_here(call, seconds); error != MPI_SUCCESS) return error;
  std::vector<double> slowest = {seconds};
  const int error = agree_on_times(call.communicator(), slowest);
  seconds = slowest.front();
  return error;
}

MeasuredCall measure(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature,
                     const View& view) {
  MeasuredCall result;
  const Stopwatch total;
  const std::size_t candidates = signature.paths.size();
  const std::size_t runs = repetitions(view, call.bytes());
  // times by candidate and run, errors by candidate, native's time: to be agreed in one go
  std::vector<double> values(candidates * (runs + 2) + 1, not_run);
  const auto times = values.begin();
  const auto errors = times + static_cast<long>(candidates * runs);

  GpuDevice* const device = view.memory == Memory::device ? &state.peers->device() : nullptr;
  const std::unique_ptr<Trial> trial = Trial::make(call, view, device);
  bool ready_everywhere = false;
  result.native_error = agree_on_success(call.communicator(), trial->ready(), ready_everywhere);
  if (result.native_error != MPI_SUCCESS) return result;
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    result.algorithm_error = run_candidate(call, state, signature.paths[i], *signature.algorithms[i], view, *trial,
                                           times + static_cast<long>(i * runs), runs);
    if (result.algorithm_error != MPI_SUCCESS) return result;
  }
  if (ready_everywhere && !trial->restore_input()) result.algorithm_error = MPI_ERR_OTHER;
  if (result.algorithm_error != MPI_SUCCESS) return result;

  double native_seconds = 0;
  result.native_error = time_native_here(call, native_seconds);
  if (result.native_error != MPI_SUCCESS) return result;
  values.back() = native_seconds;
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    const ResultError error = is_lossy(signature.paths[i]) ? trial->compare() : ResultError{};
    errors[static_cast<long>(2 * i)] = error.relative();
    errors[static_cast<long>(2 * i + 1)] = error.maximum();
  }
  result.native_error = agree_on_times(call.communicator(), values);
  for (std::size_t i = 0; i < candidates; ++i) {
    const auto first = times + static_cast<long>(i * runs);
    result.agreed.candidates.push_back({.seconds = median(first, first + static_cast<long>(runs)),
                                        .relative_error = errors[static_cast<long>(2 * i)],
                                        .maximum_error = errors[static_cast<long>(2 * i + 1)]});
  }
  result.agreed.native_seconds = values.back();
  result.seconds_beyond_native = total.seconds() - native_seconds;
  return result;
}

}  // namespace airamp::pmpi
