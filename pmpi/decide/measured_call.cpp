// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/measured_call.hpp"

#include <algorithm>
#include <limits>

#include "pmpi/algorithm/staged_exchange.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/trial.hpp"
#include "pmpi/mpi/agree.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"

namespace airamp::pmpi {
namespace {

constexpr double not_run = std::numeric_limits<double>::infinity();

/// How often an algorithm is run in one measured call; equal on all ranks. GPU collectives take microseconds, where one
/// sample says little. But what migrates to the GPU in a first run is there in a second, as in no call of the
/// application's.
std::size_t repetitions(const View& view, std::uint64_t bytes) {
  if (view.memory != Memory::device) return 1;
  return bytes <= 1U << 20U ? 9 : bytes <= 32U << 20U ? 5 : 3;
}

/// This rank's time of an algorithm, with the agreement that every accelerated call needs.
int time_algorithm(const CollectiveCall& call, CommunicatorState& state, Algorithm& algorithm, const View& view,
                   const CollectiveData& data, double& seconds) {
  const Stopwatch watch;
  StagedExchange* const exchange = algorithm.staged_exchange();
  const bool staged = exchange != nullptr && exchange->stage(data);
  Consent consent = Consent::none;
  Circumstances circumstances;
  View seen = view;
  if (const int error = agree_on_view(call.communicator(), state, seen, true, circumstances, consent);
      error != MPI_SUCCESS) {
    return error;
  }
  if (consent == Consent::lost) return MPI_ERR_OTHER;
  int error = MPI_SUCCESS;
  if (staged) {
    exchange->finish(data);
  } else {
    error = algorithm.execute(data);
  }
  seconds = algorithm.why_called_off() == Reason::none ? watch.seconds() : not_run;
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

/// Whether a candidate's codec failed on this rank's GPU. The other ranks do not know and go on with the call, and so
/// does this one: without a time of its own the candidate will not be chosen.
bool failed_here_alone(const CommunicatorState& state, AlgorithmId id) {
  return id == AlgorithmId::mpi_two_shot && state.resources.codec_queues != nullptr &&
         state.resources.codec_queues->failed();
}

/// Whether the others may wait for messages that a rank owes them whose run has failed: it does not meet them again.
bool owes_messages(AlgorithmId id) { return id == AlgorithmId::mpi_two_shot || id == AlgorithmId::native_persistent; }

/// One run of a candidate. Returns an MPI error code of this rank's. `alone`: no other rank will hear of it by itself.
int run_candidate(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature,
                  std::size_t candidate, const View& view, Trial& trial, bool first, double& seconds, bool& alone) {
  CollectiveData data = trial.data();
  data.patience_seconds = signature.patience_seconds();
  const int error = time_algorithm(call, state, *signature.algorithms[candidate], view, data, seconds);
  if (error != MPI_SUCCESS && failed_here_alone(state, signature.candidates[candidate])) return MPI_SUCCESS;
  alone = error != MPI_SUCCESS && owes_messages(signature.candidates[candidate]);
  if (error != MPI_SUCCESS) return error;
  const bool kept = !first || !is_lossy(signature.candidates[candidate]) || trial.keep_result();
  return kept ? MPI_SUCCESS : MPI_ERR_OTHER;
}

}  // namespace

int time_native(const CollectiveCall& call, double& seconds) {
  if (const int error = time_native_here(call, seconds); error != MPI_SUCCESS) return error;
  std::vector<double> slowest = {seconds};
  const int error = agree_on_times(call.communicator(), slowest);
  seconds = slowest.front();
  return error;
}

MeasuredCall measure(const CollectiveCall& call, CommunicatorState& state, SignatureState& signature, const View& view,
                     const gpu::Location& gpu) {
  MeasuredCall result;
  const Stopwatch total;
  const std::size_t candidates = signature.candidates.size();
  const std::size_t runs = repetitions(view, call.bytes());
  // times by candidate and run, errors by candidate, native's time: to be agreed in one go
  std::vector<double> values(candidates * (runs + 2) + 1, not_run);
  const auto times = values.begin();
  const auto errors = times + static_cast<long>(candidates * runs);

  GpuDevice* const device = on_gpu(view.memory) ? gpu_device(gpu) : nullptr;
  const std::unique_ptr<Trial> trial = Trial::make(call, view, device);
  bool ready_everywhere = false;
  result.native_error = agree_on_success(call.communicator(), trial->ready(), ready_everywhere);
  if (result.native_error != MPI_SUCCESS) return result;
  // Before every run the ranks tell each other how the last one went: it is the barrier that timing wants, and no rank
  // waits for one that has failed.
  int failure = MPI_SUCCESS;
  const auto all_well = [&](bool ready) {
    bool well = false;
    result.native_error = agree_on_success(call.communicator(), ready && failure == MPI_SUCCESS, well);
    if (!well) result.algorithm_error = failure != MPI_SUCCESS ? failure : MPI_ERR_OTHER;
    return result.native_error == MPI_SUCCESS && well;
  };
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    if (!all_well(trial->restore_input())) return result;
    bool prepared = false;
    result.algorithm_error = signature.algorithms[i]->prepare_trial(trial->data(), prepared);
    if (result.algorithm_error != MPI_SUCCESS) return result;
    if (!prepared) continue;
    for (std::size_t run = 0; run < runs; ++run) {
      if (!all_well(true)) return result;
      bool alone = false;
      failure = run_candidate(call, state, signature, i, view, *trial, run == 0,
                              times[static_cast<long>(i * runs + run)], alone);
      if (alone) {  // its error is heard by the error handler, which may end the job
        result.algorithm_error = failure;
        return result;
      }
    }
    if (failure == MPI_SUCCESS) signature.algorithms[i]->end_trial();
    if (failed_here_alone(state, signature.candidates[i])) {
      std::fill_n(times + static_cast<long>(i * runs), runs, not_run);
    }
  }
  if (!all_well(!ready_everywhere || trial->restore_input())) return result;

  double native_seconds = 0;
  result.native_error = time_native_here(call, native_seconds);
  if (result.native_error != MPI_SUCCESS) return result;
  values.back() = native_seconds;
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    const ResultError error = is_lossy(signature.candidates[i]) ? trial->compare() : ResultError{};
    const bool kept_promise = !signature.algorithms[i]->promises_native_bits() || trial->equals_native();
    errors[static_cast<long>(2 * i)] = kept_promise ? error.relative() : not_run;
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
