// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config/settings.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {

/// AIRamp on the rank that makes it (run_ranks), as it is between MPI_Init and MPI_Finalize, with settings of the
/// test's choice: a test may give each rank others, which the handshake would not. What MPI_Finalize gives back is
/// given back with it. Collective.
class AirampRank {
 public:
  explicit AirampRank(const config::Settings& settings = {});
  ~AirampRank();
  AirampRank(const AirampRank&) = delete;
  AirampRank& operator=(const AirampRank&) = delete;
};

}  // namespace airamp::testing
