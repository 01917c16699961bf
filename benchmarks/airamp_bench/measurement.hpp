// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "call.hpp"
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
  Timing native;
  Timing airamp;
};

/// Measures one size: native calls (MPI_Pcontrol(0)) and AIRamp's (MPI_Pcontrol(1)) turn by turn. Collective.
Row measure(const Options& options, const Element& element, std::size_t bytes, MPI_Comm communicator);

/// nccl-tests' bandwidths in GB/s (10^9 bytes): of the algorithm, and of the bus, which does not depend on the number
/// of ranks for an optimal algorithm.
double algorithm_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds);
double bus_bandwidth(Collective collective, std::size_t bytes, int ranks, double seconds);

}  // namespace airamp::benchmark
