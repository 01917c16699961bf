// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "benchmarks/airamp_bench/host/common_start.hpp"
#include "benchmarks/airamp_bench/host_collective.hpp"
#include "testing/mpi_functions.hpp"

namespace airamp::benchmark {

/// Medians of the slowest rank, seconds; NaN: not measured.
struct HostTimes {
  double back_to_back;  ///< in a loop, in which the ranks wait for each other's calls alone; or of a step with one
  double hot;           ///< each from a common start
  double cold;          ///< likewise, after a compute phase that has taken the caches
};

/// What both sides read from and write to: where memory lies decides on a long call's time as well, pages of 2 MiB or
/// not for one.
struct HostBuffers {
  HostCollective::Buffer input;
  HostCollective::Buffer output;
};

/// Times one collective with one side's functions. Collective over MPI_COMM_WORLD.
class HostTimer {
 public:
  /// `buffers` outlive it. `common_start`: nullptr where the ranks share no host, and can only be timed back to back.
  /// `uneven_us`: as in the options; then steps alone are timed, the same on both sides.
  HostTimer(const testing::MpiFunctions& mpi, HostCollective collective, HostBuffers& buffers,
            CommonStart* common_start, int uneven_us);

  /// One turn of each kind; `calls` back to back, or steps.
  void take_turn(int calls);

  HostTimes times();

  /// Of one more call, from whose output nothing is left of calls before.
  HostCollective::Buffer result();

  void call() { collective_.call(mpi_, buffers_.input, buffers_.output); }

 private:
  void time_back_to_back(int calls);
  void compute_unevenly();
  void time_hot();
  void time_cold();
  void compute();

  testing::MpiFunctions mpi_;
  HostCollective collective_;
  HostBuffers& buffers_;
  CommonStart* common_start_;
  double uneven_seconds_;
  std::mt19937 chance_;
  std::vector<double> numbers_;  ///< with which a rank computes between its calls
  std::vector<double> back_to_back_;
  std::vector<double> hot_;
  std::vector<double> cold_;
};

}  // namespace airamp::benchmark
