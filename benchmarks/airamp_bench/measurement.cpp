// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace airamp::benchmark {
namespace {

constexpr int native_level = 0;
constexpr int airamp_level = 1;

constexpr int fewest_iterations = 7;
constexpr int slow_warmup = 3;  // of native calls on device memory, which may take a second each
constexpr int nccl_warmup = 5;
// Several: a call in which AIRamp compares itself with native again returns the native result.
constexpr int checks = 3;

enum class Way { native, airamp, nccl, nccl_symmetric };
constexpr std::size_t number_of_ways = 4;

/// Runs one call in different ways.
class Runner {
 public:
  Runner(const Options& options, Call& call, Nccl* nccl, MPI_Comm communicator)
      : options_(options), call_(call), nccl_(nccl), communicator_(communicator) {}

  /// Leaves the messages of the benchmark itself to the MPI library.
  void rest() const {
    if (options_.native) MPI_Pcontrol(native_level);
  }

  double timed_run(Way way) {
    call_.prepare();
    select(way);
    MPI_Barrier(communicator_);
    const double start = MPI_Wtime();
    run(way);
    return MPI_Wtime() - start;
  }

  void warm_up(Way way, int calls) {
    for (int i = 0; i < calls; ++i) timed_run(way);
  }

  Timing check(Way way, double seconds) {
    Timing timing;
    timing.seconds = seconds;
    if (!options_.check) return timing;
    timing.same_bits = true;
    const int calls = way == Way::nccl || way == Way::nccl_symmetric ? 1 : checks;
    for (int i = 0; i < calls; ++i) check_once(way, timing);
    return timing;
  }

 private:
  void select(Way way) const {
    if (options_.native) MPI_Pcontrol(way == Way::airamp ? airamp_level : native_level);
  }

  void run(Way way) {
    if (way == Way::nccl) {
      call_.run(*nccl_);
    } else if (way == Way::nccl_symmetric) {
      call_.run_symmetric(*nccl_);
    } else {
      call_.run();
    }
  }

  // One call's error and whether its bits were equal on all ranks.
  void check_once(Way way, Timing& timing) {
    call_.clear_result();
    call_.prepare();
    select(way);
    run(way);
    rest();
    const Quality quality = call_.quality();
    double error = quality.error;
    MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, communicator_);
    std::array<std::uint64_t, 2> extremes{quality.hash, ~quality.hash};
    MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, communicator_);
    timing.error = std::max(timing.error, error);
    timing.same_bits = timing.same_bits && extremes[0] == ~extremes[1];
  }

  const Options& options_;
  Call& call_;
  Nccl* nccl_;
  MPI_Comm communicator_;
};

// How many rounds fit into the budget after the first one, which took `seconds` here. Equal on all ranks.
int rounds_in_budget(const Options& options, double seconds, MPI_Comm communicator) {
  if (options.budget_ms == 0) return options.iterations;
  MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, communicator);
  const double fitting = seconds > 0.0 ? options.budget_ms * 1e-3 / seconds : options.iterations;
  const int fewest = std::min(fewest_iterations, options.iterations);
  return static_cast<int>(std::clamp<double>(fitting, fewest, options.iterations));
}

}  // namespace

double median_of_slowest(std::vector<double>& seconds, MPI_Comm communicator) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, communicator);
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2.0;
}

Row measure(const Options& options, const Element& element, Memory& memory, Nccl* nccl, std::size_t bytes,
            MPI_Comm communicator) {
  Call call(options, element, memory, bytes, communicator);
  Runner runner(options, call, nccl, communicator);
  // A native call on device memory may take a thousand times as long as ours, and the GPU goes to sleep meanwhile:
  // those are timed by themselves, after the others.
  const bool native_apart = options.native && options.memory == Place::device;
  std::vector<Way> ways;
  if (options.native && !native_apart) ways.push_back(Way::native);
  ways.push_back(Way::airamp);
  if (nccl != nullptr) ways.push_back(Way::nccl);
  const bool symmetric = options.nccl_symmetric && nccl != nullptr && call.open_windows(*nccl);
  if (symmetric) ways.push_back(Way::nccl_symmetric);

  runner.warm_up(Way::airamp, options.warmup);
  if (options.native && !native_apart) runner.warm_up(Way::native, options.warmup);
  if (nccl != nullptr) runner.warm_up(Way::nccl, nccl_warmup);
  if (symmetric) runner.warm_up(Way::nccl_symmetric, nccl_warmup);

  std::array<std::vector<double>, number_of_ways> seconds;
  Row row;
  const auto time_in_turns = [&](const std::vector<Way>& turns) {
    int rounds = options.iterations;
    for (int i = 0; i < rounds; ++i) {
      const double start = MPI_Wtime();
      // No kind always goes first, so that what a call leaves behind in caches and queues favours none.
      for (std::size_t k = 0; k < turns.size(); ++k) {
        const Way way = turns[(k + static_cast<std::size_t>(i)) % turns.size()];
        seconds[static_cast<std::size_t>(way)].push_back(runner.timed_run(way));
      }
      if (i == 0) {
        runner.rest();
        rounds = rounds_in_budget(options, MPI_Wtime() - start, communicator);
      }
    }
    runner.rest();
    return rounds;
  };
  row.iterations = time_in_turns(ways);
  if (native_apart) {
    runner.warm_up(Way::native, std::min(options.warmup, slow_warmup));
    time_in_turns({Way::native});
    ways.push_back(Way::native);
  }

  row.count = call.count();
  row.bytes = row.count * element.bytes();
  for (const Way way : ways) {
    const double median = median_of_slowest(seconds[static_cast<std::size_t>(way)], communicator);
    const Timing timing = runner.check(way, median);
    if (way == Way::native) row.native = timing;
    if (way == Way::airamp) row.airamp = timing;
    if (way == Way::nccl) row.nccl = timing;
    if (way == Way::nccl_symmetric) row.nccl_symmetric = timing;
  }
  if (options.native) MPI_Pcontrol(airamp_level);
  return row;
}

double algorithm_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds) {
  const bool whole = collective == Collective::allreduce || collective == Collective::bcast ||
                     collective == Collective::reduce || collective == Collective::scan ||
                     collective == Collective::barrier;
  const double moved = static_cast<double>(bytes) * (whole ? 1 : ranks);
  return seconds > 0.0 ? moved / seconds / 1e9 : 0.0;
}

double bus_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds) {
  const double algorithm = algorithm_bandwidth(collective, bytes, ranks, seconds);
  const bool once =
      collective == Collective::bcast || collective == Collective::reduce || collective == Collective::scan;
  if (once) return algorithm;
  return algorithm * (collective == Collective::allreduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
}

}  // namespace airamp::benchmark
