// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "measurement.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace airamp::benchmark {
namespace {

constexpr int native_level = 0;
constexpr int airamp_level = 1;

double timed_run(Call& call, int level, MPI_Comm communicator) {
  MPI_Pcontrol(level);
  MPI_Barrier(communicator);
  const double start = MPI_Wtime();
  call.run();
  return MPI_Wtime() - start;
}

double median_of_slowest(std::vector<double>& seconds, MPI_Comm communicator) {
  MPI_Allreduce(MPI_IN_PLACE, seconds.data(), static_cast<int>(seconds.size()), MPI_DOUBLE, MPI_MAX, communicator);
  std::sort(seconds.begin(), seconds.end());
  const std::size_t middle = seconds.size() / 2;
  return seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2.0;
}

// One call's error and whether its bits were equal on all ranks.
void check_once(Call& call, int level, MPI_Comm communicator, Timing& timing) {
  call.clear_result();
  MPI_Pcontrol(level);
  call.run();
  MPI_Pcontrol(native_level);
  double error = call.relative_error();
  MPI_Allreduce(MPI_IN_PLACE, &error, 1, MPI_DOUBLE, MPI_MAX, communicator);
  const std::uint64_t hash = call.result_hash();
  std::array<std::uint64_t, 2> extremes{hash, ~hash};
  MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_UINT64_T, MPI_MAX, communicator);
  timing.error = std::max(timing.error, error);
  timing.same_bits = timing.same_bits && extremes[0] == ~extremes[1];
}

// Several calls: one in which AIRamp compares itself with native again returns the native result.
void check(Call& call, int level, MPI_Comm communicator, Timing& timing) {
  timing.same_bits = true;
  for (int i = 0; i < 3; ++i) check_once(call, level, communicator, timing);
}

}  // namespace

Row measure(const Options& options, const Element& element, std::size_t bytes, MPI_Comm communicator) {
  Call call(options, element, bytes, communicator);
  for (int i = 0; i < options.warmup; ++i) timed_run(call, airamp_level, communicator);
  for (int i = 0; i < options.warmup; ++i) timed_run(call, native_level, communicator);

  std::vector<double> native;
  std::vector<double> airamp;
  for (int i = 0; i < options.iterations; ++i) {
    // Neither kind always goes first, so that what a call leaves behind in caches and queues favours none.
    if (i % 2 == 0) native.push_back(timed_run(call, native_level, communicator));
    airamp.push_back(timed_run(call, airamp_level, communicator));
    if (i % 2 == 1) native.push_back(timed_run(call, native_level, communicator));
  }
  MPI_Pcontrol(native_level);

  Row row;
  row.count = call.count();
  row.bytes = row.count * element.bytes();
  row.native.seconds = median_of_slowest(native, communicator);
  row.airamp.seconds = median_of_slowest(airamp, communicator);
  if (options.check) {
    check(call, native_level, communicator, row.native);
    check(call, airamp_level, communicator, row.airamp);
  }
  MPI_Pcontrol(airamp_level);
  return row;
}

double algorithm_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds) {
  const double moved = static_cast<double>(bytes) * (collective == Collective::allreduce ? 1 : ranks);
  return seconds > 0.0 ? moved / seconds / 1e9 : 0.0;
}

double bus_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds) {
  const double factor = (collective == Collective::allreduce ? 2.0 : 1.0) * (ranks - 1) / ranks;
  return algorithm_bandwidth(collective, bytes, ranks, seconds) * factor;
}

}  // namespace airamp::benchmark
