// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "mpitests/differential/random.hpp"

namespace airamp::differential {

/// A communicator as this rank sees it.
struct Communicator {
  std::string name;
  MPI_Comm handle = MPI_COMM_NULL;  ///< MPI_COMM_NULL on ranks outside
  bool inter = false;
  std::vector<int> members;         ///< world rank of every rank of the (local) group
  std::vector<int> remote_members;  ///< the same of the remote group of an inter-communicator
};

/// Several communicators that live at once and come and go: duplicates, splits (also in reverse rank order and with
/// ranks left out) and inter-communicators. Collective over MPI_COMM_WORLD; `random` must be in the same state on all
/// ranks.
class Communicators {
 public:
  Communicators();
  ~Communicators();
  Communicators(const Communicators&) = delete;
  Communicators& operator=(const Communicators&) = delete;

  /// Creates one or frees one.
  void change(Random& random);

  /// MPI_COMM_WORLD or one of those alive.
  const Communicator& pick(Random& random) const;

 private:
  std::vector<Communicator> alive_;  // the first is MPI_COMM_WORLD
};

}  // namespace airamp::differential
