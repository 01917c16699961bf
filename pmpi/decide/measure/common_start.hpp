// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "pmpi/mpi/result.hpp"
#include "pmpi/state/communicator_state.hpp"

namespace airamp::pmpi {

/// When all ranks of a communicator begin what is measured. What they wait for each other otherwise counts as time of
/// it, and is longer than a short call.
struct CommonStart {
  bool all_well = false;
  std::chrono::nanoseconds moment{};  ///< by the clock of this rank's host; the past where the ranks have no common one

  void wait() const;
};

/// Asks the ranks whether all is well on each, and where they can meet in the memory of their host, without a message,
/// names a moment at which all of them have the answer. Collective. Takes no more time than that before it returns.
Result<CommonStart> agree_on_start(const CommunicatorState& state, bool well);

/// Has all ranks go on at about the same moment. Collective. Returns an MPI error code.
int start_together(const CommunicatorState& state);

}  // namespace airamp::pmpi
