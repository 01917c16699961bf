// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mpitests/differential/random.hpp"

namespace airamp::soak {

/// What a program does between its collectives: it comes late, or exchanges messages that are on their way meanwhile.
/// `random` must be in the same state on all ranks of the communicator.
class Disturbance {
 public:
  Disturbance(differential::Random& random, MPI_Comm communicator);

  /// Sleeps where it was drawn, and starts the messages.
  void before();

  /// Completes them. Returns what is wrong, empty if nothing is.
  std::string after();

 private:
  MPI_Comm communicator_;
  int rank_;
  int ranks_;
  int late_;  // rank; -1: none
  int delay_us_;
  std::size_t words_;  // of the messages; 0: none
  std::vector<int> sent_;
  std::vector<int> received_;
  std::vector<MPI_Request> requests_;
};

}  // namespace airamp::soak
