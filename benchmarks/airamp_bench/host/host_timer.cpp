// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "benchmarks/airamp_bench/host/host_timer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "benchmarks/airamp_bench/measurement.hpp"

namespace airamp::benchmark {
namespace {

/// Calls of a turn that each have a common start.
constexpr int apart = 9;

/// More than a core's own caches hold, code of whatever library included.
constexpr std::size_t computed_bytes = std::size_t{3} << 20U;

/// Of a step, what all ranks compute for.
constexpr double even_seconds = 100e-6;

double median(std::vector<double>& seconds) {
  return seconds.empty() ? std::numeric_limits<double>::quiet_NaN() : median_of_slowest(seconds, MPI_COMM_WORLD);
}

}  // namespace

HostTimer::HostTimer(const testing::MpiFunctions& mpi, HostCollective collective, HostBuffers& buffers,
                     CommonStart* common_start, int uneven_us)
    : mpi_(mpi),
      collective_(std::move(collective)),
      buffers_(buffers),
      common_start_(common_start),
      uneven_seconds_(1e-6 * uneven_us),
      numbers_(computed_bytes / sizeof(double), 1.0) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  chance_.seed(static_cast<unsigned>(rank) + 1);
}

void HostTimer::take_turn(int calls) {
  time_back_to_back(calls);
  if (common_start_ == nullptr || uneven_seconds_ > 0) return;
  time_hot();
  time_cold();
}

HostTimes HostTimer::times() {
  return {.back_to_back = median(back_to_back_), .hot = median(hot_), .cold = median(cold_)};
}

HostCollective::Buffer HostTimer::result() {
  std::fill(buffers_.output.begin(), buffers_.output.end(), buffers_.input.front());
  call();
  return buffers_.output;
}

void HostTimer::time_back_to_back(int calls) {
  testing::librarys_functions().barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls; ++i) {
    if (uneven_seconds_ > 0) compute_unevenly();
    call();
  }
  back_to_back_.push_back((MPI_Wtime() - begin) / calls);
}

void HostTimer::compute_unevenly() {
  const double end = host_seconds() + even_seconds + std::uniform_real_distribution(0.0, uneven_seconds_)(chance_);
  while (host_seconds() < end) {
  }
}

void HostTimer::time_hot() {
  for (int i = 0; i < apart; ++i) {
    const double begin = common_start_->wait();
    call();
    hot_.push_back(host_seconds() - begin);
  }
}

/// Of a nonblocking collective its start before the compute phase counts, and its wait behind it.
void HostTimer::time_cold() {
  for (int i = 0; i < apart; ++i) {
    const double before = host_seconds();
    MPI_Request request = MPI_REQUEST_NULL;
    if (collective_.is_nonblocking()) collective_.start(mpi_, buffers_.input, buffers_.output, &request);
    const double starting = collective_.is_nonblocking() ? host_seconds() - before : 0;
    compute();
    const double begin = common_start_->wait();
    if (collective_.is_nonblocking()) {
      mpi_.wait(&request, MPI_STATUS_IGNORE);
    } else {
      call();
    }
    cold_.push_back(host_seconds() - begin + starting);
  }
}

void HostTimer::compute() {
  for (std::size_t i = 0; i < numbers_.size(); i += 8) numbers_[i] = numbers_[i] * 0.5 + 1;
}

}  // namespace airamp::benchmark
