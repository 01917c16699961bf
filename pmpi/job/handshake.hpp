// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "config/load.hpp"

namespace airamp::pmpi {

/// What the ranks of MPI_COMM_WORLD settled in MPI_Init.
struct Handshake {
  bool on = false;
  bool gpus = false;          ///< some host has a GPU, and the settings let us use them
  config::Settings settings;  ///< rank 0's
  std::string why_off;        ///< if not `on`
  std::string job_name;       ///< the same on all ranks, and as good as unique
};

/// Makes rank 0's settings the job's. Collective over MPI_COMM_WORLD. AIRamp stays off if any rank's configuration has
/// an error, if the ranks have different versions of the library, or if rank 0's settings say so; rank 0 warns if
/// others' settings differ from its own. A rank that waits long asks on stderr whether AIRamp is loaded in every rank.
Handshake shake_hands(const config::Loaded& own, int rank);

}  // namespace airamp::pmpi
