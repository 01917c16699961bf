// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "benchmarks/airamp_bench/cuda/nccl.hpp"
#include "call.hpp"
#include "memory.hpp"
#include "options.hpp"

namespace airamp::benchmark {

/// What was measured of one kind of call. Equal on all ranks.
struct Timing {
  double seconds = 0.0;    ///< median over the calls of the slowest rank's time
  double error = 0.0;      ///< largest relative L2 error of any rank; 0 if not checked
  bool same_bits = false;  ///< all ranks had the same result; false if not checked
};

/// One row of the table.
struct Row {
  std::size_t bytes = 0;  ///< per rank
  std::size_t count = 0;  ///< elements per rank
  int iterations = 0;     ///< timed calls of each kind
  std::optional<Timing> native;
  Timing airamp;
  std::optional<Timing> nccl;
  std::optional<Timing> nccl_symmetric;
};

/// Measures one size: native calls (MPI_Pcontrol(0)), AIRamp's (MPI_Pcontrol(1)) and NCCL's (if there is `nccl`; on
/// symmetric windows if it has them) turn by turn. Without native calls MPI_Pcontrol is not called. Collective.
Row measure(const Options& options, const Element& element, Memory& memory, Nccl* nccl, std::size_t bytes,
            MPI_Comm communicator);

/// The median over the calls of the slowest rank's time, of every rank's times. Collective; equal on all ranks.
double median_of_slowest(std::vector<double>& seconds, MPI_Comm communicator);

/// nccl-tests' bandwidths in GB/s (10^9 bytes): of the algorithm, and of the bus, which does not depend on the number
/// of ranks for an optimal algorithm.
double algorithm_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds);
double bus_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds);

}  // namespace airamp::benchmark
