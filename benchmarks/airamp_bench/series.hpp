// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "call.hpp"

namespace airamp::benchmark {

/// How well results agree with the exact sums.
struct Check {
  int results = 0;
  double error = 0.0;     ///< largest relative L2 error of any rank
  bool same_bits = true;  ///< in every result, on all ranks

  void add(const Check& other);

  /// On stdout. `right`: the caller's judgement.
  void print(bool right) const;
};

/// The info keys of a communicator and their values.
using InfoKeys = std::vector<std::pair<std::string, std::string>>;

/// A collective made again and again on a communicator of its own. All functions are collective over MPI_COMM_WORLD.
class Series {
 public:
  /// `name`, `keys`: the communicator's. `bytes`: of the calls, in turns, each with buffers of its own. `late_us`:
  /// microseconds that one rank, each in turn, comes late.
  Series(const std::string& name, const InfoKeys& keys, const Options& options, const Element& element, Memory& memory,
         const std::vector<std::size_t>& bytes, double late_us = 0);
  ~Series();
  Series(const Series&) = delete;
  Series& operator=(const Series&) = delete;

  /// The next call. Returns this rank's seconds, from when all ranks were there.
  double timed_call();

  /// Makes every call once more and looks at its result.
  Check check();

 private:
  Call& next() { return *calls_[made_++ % calls_.size()]; }

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int rank_ = 0;
  int ranks_ = 1;
  double late_us_;
  std::vector<std::unique_ptr<Call>> calls_;
  std::size_t made_ = 0;
};

/// Calls in a row of one series, on device memory: communicators share a queue, so that the first call after another
/// series' finds its graph changed, and is not timed.
inline constexpr int device_burst = 10;

/// Times `iterations` calls of each series, `burst` in a row, in turns. If that is more than one, a call that is not
/// timed comes before them. Returns medians of the slowest rank, microseconds. Collective.
std::vector<double> medians_in_turns(const std::vector<Series*>& series, int iterations, int burst);

}  // namespace airamp::benchmark
