// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/measure/measured_call.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "codec/floating_point_scope.hpp"
#include "pmpi/algorithm/abilities/staged_exchange.hpp"
#include "pmpi/call/movements/packed_elements.hpp"
#include "pmpi/call/trial.hpp"
#include "pmpi/decide/agreement.hpp"
#include "pmpi/decide/local_facts.hpp"
#include "pmpi/decide/measure/common_start.hpp"
#include "pmpi/decide/plan.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "pmpi/decide/unsynchronized/posted_by_root.hpp"
#include "pmpi/group/process_failure.hpp"
#include "pmpi/job/publisher.hpp"
#include "pmpi/mpi/native.hpp"
#include "pmpi/mpi/stopwatch.hpp"
#include "telemetry/log.hpp"
#include "telemetry/segment/writer/segment_writer_calls.hpp"

namespace airamp::pmpi {
namespace {

constexpr double not_run = std::numeric_limits<double>::infinity();

/// Whether calls go through memory that the ranks share, and may be so short that what a first run pays for, pages and
/// code that are not there yet, is more than the exchange. Not where a root sends a few bytes in a meeting, for which
/// natively nobody but the receivers waits: of calls that follow each other, a time from a common start does not show
/// that.
bool is_short_exchange(const Call& call, const SignatureState& signature) {
  constexpr std::uint64_t longest = 1U << 20U;
  constexpr std::uint64_t shortest_to_wait_for = 1024;  // natively too
  const Kind kind = call.collective.kind();
  const auto receivers = static_cast<std::uint64_t>(kind == Kind::scatterv ? call.state.size - 1 : 1);
  const bool may_wait =
      data_flow_of(kind) != DataFlow::root_to_all || call.facts.bytes / receivers >= shortest_to_wait_for;
  return call.facts.bytes <= longest &&
         std::any_of(signature.algorithms.begin(), signature.algorithms.end(), [&](const auto& algorithm) {
           return algorithm != nullptr && (algorithm->goes_unasked() || (may_wait && algorithm->warms_up()));
         });
}

/// The runs of an algorithm in one measured call.
struct Runs {
  std::size_t count;
  tuner::Statistic statistic;  ///< which of their times stands for them
};

/// Equal on all ranks. GPU collectives take microseconds, where one sample says little. But what migrates to the GPU in
/// a first run is there in a second, as in no call of the application's. Of a short exchange there are, before a
/// decision, as many runs as there are of the MPI library, but where the median counts: its first run or two are slow.
Runs runs_of(const Call& call, const SignatureState& signature, bool is_short) {
  const tuner::Statistic of_native = signature.tuner.statistic();
  if (is_short) return {.count = of_native == tuner::Statistic::median ? 9U : 3U, .statistic = of_native};
  const bool once = call.facts.memory != Memory::device;
  return {.count = once                       ? 1U
                   : call.bytes <= 1U << 20U  ? 9U
                   : call.bytes <= 32U << 20U ? 5U
                                              : 3U,
          .statistic = tuner::Statistic::median};
}

/// For nothing what each call takes before its agreement that has no shortcut.
void look_again(const Call& call) {
  Call again{
      .collective = call.collective, .state = call.state, .bytes = call.bytes, .no_compression = call.no_compression};
  again.gated = &gated_calls_of(again);
  look_at_buffers(again);
  look_at_data(again);
  if (const ReadyPlan plan = ready_plan(again); plan.signature != nullptr) is_as_before(again, plan);
}

/// What elements with holes take in each call. Results are unpacked in no trial: to pack as many is as much work.
void pack_again(const Call& call) {
  if (!call.packed) return;
  try {
    const CollectiveData again = call.collective.data(call.facts);
    if (again.packed != nullptr) again.packed->pack_taken();
  } catch (const std::bad_alloc&) {
    // the call has its own already
  }
}

/// An agreement as each call needs one, whose word the others may have been told already. Returns an MPI error code.
int agree(const Call& call, bool has_arrived) {
  const Result<Agreement> agreement = agree_on({.facts = call.facts, .has_arrived = has_arrived}, call.state);
  if (!agreement.ok()) return agreement.error();
  return agreement->consent == Consent::lost ? MPI_ERR_OTHER : MPI_SUCCESS;
}

/// One run of an exchange as its calls are carried once they are known. Returns an MPI error code.
int run_brief_exchange(const Call& call, const BriefExchange& exchange, const CollectiveData& data) {
  const std::uint64_t word = word_of({.facts = call.facts});
  exchange.lay_out(data.input, data.output);
  exchange.meeting->arrive(word);
  if (!exchange.meeting->all_say(word)) {
    const int error = agree(call, true);
    return error != MPI_SUCCESS ? error : MPI_ERR_OTHER;
  }
  return exchange.take(data.input, data.output) ? MPI_SUCCESS : MPI_ERR_OTHER;
}

/// This rank's time of an algorithm, with what an accelerated call needs before it.
Result<double> time_algorithm(const Call& call, Algorithm& algorithm, const CollectiveData& data,
                              const CommonStart& start) {
  const bool on_host = call.facts.memory == Memory::host;
  const bool looks = on_host && !may_have_shortcut(call);
  if (algorithm.goes_unasked()) {
    start.wait();
    const Stopwatch watch;
    if (looks) look_again(call);
    pack_again(call);
    if (const int error = algorithm.execute(data); error != MPI_SUCCESS) return MpiError{error};
    return algorithm.why_called_off() == Reason::none ? watch.seconds() : not_run;
  }
  StagedExchange* const exchange = algorithm.staged_exchange();
  // laid out behind the start alone: who writes the same place once more need not wait to get it back from its readers
  const bool is_staged = exchange != nullptr && exchange->may_stage(data);
  const bool may_be_brief = is_staged && on_host && !looks;
  const BriefExchange brief = may_be_brief ? exchange->brief_exchange(data) : BriefExchange{};
  const bool has_blocks = !data.blocks.empty();  // of which the brief way has other arguments than these
  start.wait();
  const Stopwatch watch;
  if (brief.meeting != nullptr && !has_blocks) {
    const int error = run_brief_exchange(call, brief, data);
    return error == MPI_SUCCESS ? Result<double>(watch.seconds()) : MpiError{error};
  }
  if (looks) look_again(call);
  pack_again(call);
  if (is_staged) exchange->stage(data);
  if (const int error = agree(call, false); error != MPI_SUCCESS) return MpiError{error};
  const int error = is_staged ? exchange->finish(data) : algorithm.execute(data);
  if (error != MPI_SUCCESS) return MpiError{error};
  return is_staged || algorithm.why_called_off() == Reason::none ? watch.seconds() : not_run;
}

/// While alive, a rank that goes leaves the agreement on times. It may go by an exception that its error handler
/// throws.
class LeavesAgreement {
 public:
  explicit LeavesAgreement(CommunicatorState& state) : state_(&state) {}
  ~LeavesAgreement() {
    if (state_ != nullptr) state_->times.leave(state_->comm);
  }
  LeavesAgreement(const LeavesAgreement&) = delete;
  LeavesAgreement& operator=(const LeavesAgreement&) = delete;
  void stay() { state_ = nullptr; }

 private:
  CommunicatorState* state_;
};

/// This rank's time of the native call, with what it costs that some calls like it are posted. `numbers` are to be
/// agreed on behind it; not by a rank on which it fails.
Result<double> time_native_here(const Call& call, std::size_t numbers) {
  if (const int error = call.state.times.prepare(numbers); error != MPI_SUCCESS) return MpiError{error};
  if (const int error = start_together(call.state); error != MPI_SUCCESS) return MpiError{error};
  const bool looks = call.state.posted_by_root.any(call.collective.kind());
  const Stopwatch watch;
  if (const int error = looks ? look_for_nothing(call.collective, call.state) : MPI_SUCCESS; error != MPI_SUCCESS)
    return MpiError{error};
  LeavesAgreement leaves(call.state);
  const int error = call.collective.run_native();
  if (error == MPI_SUCCESS || is_process_failure(error)) leaves.stay();
  if (error != MPI_SUCCESS) return MpiError{error};
  return watch.seconds();
}

double median(std::vector<double>::iterator begin, std::vector<double>::iterator end) {
  const auto middle = begin + (end - begin) / 2;
  std::nth_element(begin, middle, end);
  return *middle;
}

/// What counts of a run of a call with elements with holes, for which code is needed that no other call keeps at hand:
/// as natively, the first run. Natively ranks need not wait for each other in calls with a root that follow each other,
/// which a time from a common start does not show. `first`: what counts of the first run.
double seconds_of_packed(const Call& call, double seconds, std::size_t run, double first) {
  constexpr double against_calls_in_a_row = 1.5;
  if (run > 0) return std::max(seconds, first);
  const DataFlow flow = data_flow_of(call.collective.kind());
  const bool has_root = flow == DataFlow::root_to_all || flow == DataFlow::all_to_root;
  return has_root ? against_calls_in_a_row * seconds : seconds;
}

/// Whether a candidate's codec failed on this rank's GPU. The other ranks do not know and go on with the call, and so
/// does this one: without a time of its own the candidate will not be chosen.
bool failed_here_alone(const CommunicatorState& state, AlgorithmId id) {
  return id == AlgorithmId::mpi_two_shot && state.resources.codec_queues != nullptr &&
         state.resources.codec_queues->failed();
}

/// Whether the others may wait for messages that a rank owes them whose run has failed: it does not meet them again.
bool owes_messages(AlgorithmId id) { return id == AlgorithmId::mpi_two_shot || id == AlgorithmId::native_persistent; }

/// One run of a candidate.
struct CandidateRun {
  int error = MPI_SUCCESS;  ///< of this rank's
  bool alone = false;       ///< no other rank will hear of it by itself
  double seconds = not_run;
};

CandidateRun run_candidate(const Call& call, const SignatureState& signature, std::size_t candidate, Trial& trial,
                           const CommonStart& start, bool first) {
  const AlgorithmId id = signature.candidates[candidate];
  CollectiveData data = trial.data();
  data.patience_seconds = signature.patience_seconds();
  const Result<double> seconds = time_algorithm(call, *signature.algorithms[candidate], data, start);
  if (!seconds.ok()) {
    // more comes than there is room for, which the native call will say: it is no failure of the algorithm's
    if (seconds.error() == MPI_ERR_TRUNCATE || failed_here_alone(call.state, id)) return {};
    return {.error = seconds.error(), .alone = owes_messages(id)};
  }
  const bool kept = !first || !is_lossy(id) || trial.keep_result();
  return {.error = kept ? MPI_SUCCESS : MPI_ERR_OTHER, .seconds = *seconds};
}

void log_measurement(const Call& call, const tuner::CallMeasurement& agreed, const SignatureState& signature) {
  std::array<char, 128> text{};
  std::snprintf(text.data(), text.size(), "measured %s of %llu bytes: native %.1f us",
                std::string(function_names[static_cast<std::size_t>(call.collective.function())]).c_str(),
                static_cast<unsigned long long>(call.facts.bytes), agreed.native_seconds * 1e6);
  std::string line = text.data();
  for (std::size_t i = 0; i < agreed.candidates.size(); ++i) {
    std::snprintf(text.data(), text.size(), ", %s %.1f us with relative error %.2g",
                  std::string(to_string(signature.candidates[i])).c_str(), agreed.candidates[i].seconds * 1e6,
                  agreed.candidates[i].relative_error);
    line += text.data();
  }
  telemetry::log(config::LogLevel::debug, line + "; next calls: " + to_text(signature.tuner.why()));
}

/// Takes note of an agreed time. Not inlined: see `take_measurement`.
[[gnu::noinline]] void take_native_time(SignatureState& signature, double seconds) {
  const codec::FloatingPointScope scope;
  signature.tuner.record_native(seconds);
  signature.native_seconds.record(seconds);
}

}  // namespace

int time_native(const Call& call, SignatureState& signature) {
  const Result<double> seconds = time_native_here(call, 1);
  if (!seconds.ok()) return seconds.error();
  if (std::isfinite(*seconds)) signature.own_native_seconds.record(*seconds);
  const Result<std::vector<double>> slowest = call.state.times.agree(call.state.comm, {*seconds});
  if (slowest.ok() && std::isfinite(slowest->front())) take_native_time(signature, slowest->front());
  return slowest.error();
}

/// Times that are infinite and figures that are not known must not trap in the application's name. Not inlined, so that
/// no arithmetic moves out of the floating-point scope.
[[gnu::noinline]] void take_measurement(const Call& call, SignatureState& signature, const MeasuredCall& measured) {
  const codec::FloatingPointScope scope;
  signature.tuner.record(measured.agreed);
  if (call.state.rank == 0) log_measurement(call, measured.agreed, signature);
  signature.native_seconds.record(measured.agreed.native_seconds);
  double best = measured.agreed.candidates.front().seconds;
  for (const tuner::CandidateMeasurement& candidate : measured.agreed.candidates) {
    best = std::min(best, candidate.seconds);
  }
  signature.airamp_seconds.record(best);
  ++signature.tuning_calls;
  signature.tuning_seconds += measured.seconds_beyond_native;
  publisher().add(telemetry::layout::Counter::tuning_calls, 1);
  publisher().add(telemetry::layout::Counter::tuning_nanoseconds,
                  static_cast<std::uint64_t>(1e9 * std::max(0.0, measured.seconds_beyond_native)));
}

MeasuredCall measure(const Call& call, SignatureState& signature) {
  MeasuredCall result;
  const Stopwatch total;
  const std::size_t candidates = signature.candidates.size();
  const bool is_short = is_short_exchange(call, signature);
  const auto [runs, statistic] = runs_of(call, signature, is_short);
  // times by candidate and run, errors by candidate, native's time and that of all else: to be agreed in one go
  std::vector<double> values(candidates * (runs + 2) + 2, not_run);
  const auto times = values.begin();
  const auto errors = times + static_cast<long>(candidates * runs);

  GpuDevice* const device = on_gpu(call.facts.memory) ? gpu_device(call.gpu) : nullptr;
  const std::unique_ptr<Trial> trial = Trial::make(call.collective, data_of(call), call.facts, device);
  const Result<CommonStart> all_ready = agree_on_start(call.state, trial->ready());
  result.native_error = all_ready.error();
  if (!all_ready.ok()) return result;
  const bool ready_everywhere = all_ready->all_well;
  // Before every run the ranks tell each other how the last one went: it is the barrier that timing wants, and no rank
  // waits for one that has failed.
  int failure = MPI_SUCCESS;
  CommonStart start;
  const auto all_well = [&](bool ready) {
    const Result<CommonStart> agreed = agree_on_start(call.state, ready && failure == MPI_SUCCESS);
    result.native_error = agreed.error();
    if (agreed.ok()) start = *agreed;
    const bool well = agreed.ok() && start.all_well;
    if (!well) result.algorithm_error = failure != MPI_SUCCESS ? failure : MPI_ERR_OTHER;
    return well;
  };
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    if (!all_well(trial->restore_input())) return result;
    const Result<bool> prepared = signature.algorithms[i]->prepare_trial(trial->data());
    result.algorithm_error = prepared.error();
    if (!prepared.ok()) return result;
    if (!*prepared) continue;
    for (std::size_t run = 0; run < runs; ++run) {
      if (!all_well(true)) return result;
      const CandidateRun ran = run_candidate(call, signature, i, *trial, start, run == 0);
      const double first = times[static_cast<long>(i * runs)];
      times[static_cast<long>(i * runs + run)] =
          call.packed ? seconds_of_packed(call, ran.seconds, run, first) : ran.seconds;
      failure = ran.error;
      if (ran.alone) {  // its error is heard by the error handler, which may end the job
        result.algorithm_error = failure;
        return result;
      }
    }
    if (failure == MPI_SUCCESS) signature.algorithms[i]->end_trial();
    if (failed_here_alone(call.state, signature.candidates[i])) {
      std::fill_n(times + static_cast<long>(i * runs), runs, not_run);
    }
  }
  if (!all_well(!ready_everywhere || trial->restore_input())) return result;

  const Result<double> native_seconds = time_native_here(call, values.size());
  result.native_error = native_seconds.error();
  if (!native_seconds.ok()) return result;
  values[values.size() - 2] = *native_seconds;
  for (std::size_t i = 0; ready_everywhere && i < candidates; ++i) {
    if (signature.algorithms[i] == nullptr) continue;
    const Algorithm& algorithm = *signature.algorithms[i];
    const bool may_differ = is_lossy(signature.candidates[i]) || algorithm.adds_in_own_order();
    const ResultError error = may_differ ? trial->compare() : ResultError{};
    const bool kept_promise = !algorithm.promises_native_bits() || trial->equals_native();
    errors[static_cast<long>(2 * i)] = kept_promise ? error.relative() : not_run;
    errors[static_cast<long>(2 * i + 1)] = error.maximum();
  }
  result.seconds_beyond_native = total.seconds() - *native_seconds;
  values.back() = result.seconds_beyond_native;
  const Result<std::vector<double>> slowest = call.state.times.agree(call.state.comm, std::move(values));
  result.native_error = slowest.error();
  if (!slowest.ok()) return result;
  values = *slowest;
  if (std::isinf(values[values.size() - 2])) return result;  // it failed somewhere
  for (std::size_t i = 0; i < candidates; ++i) {
    const auto first = times + static_cast<long>(i * runs);
    const auto last = first + static_cast<long>(runs);
    const bool best = statistic == tuner::Statistic::minimum;
    result.agreed.candidates.push_back({.seconds = best ? *std::min_element(first, last) : median(first, last),
                                        .relative_error = errors[static_cast<long>(2 * i)],
                                        .maximum_error = errors[static_cast<long>(2 * i + 1)]});
  }
  result.agreed.native_seconds = values[values.size() - 2];
  // what agreements and comparisons cost counts where calls take less than these
  if (is_short) result.agreed.seconds_beyond_native = values.back();
  return result;
}

}  // namespace airamp::pmpi
