// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// What can be said of a rank's process.
enum class RankState : std::uint8_t {
  running,
  stopped,      ///< by SIGSTOP or the like, or by a debugger
  frozen,       ///< its cgroup is; known only once `look_at_processes` has looked, and so is the next one
  swapped_out,  ///< it may run, but most of its memory is swapped out
  gone,         ///< it has ended without MPI_Finalize
  finalized,    ///< it has called MPI_Finalize, whether it runs on or not
  unknown       ///< it cannot be seen from here
};

RankState rank_state(const RankSnapshot& rank) noexcept;

/// "running", "stopped", "frozen", "swapped-out", "gone", "finalized" or "unknown".
std::string_view to_string(RankState state) noexcept;

}  // namespace airamp::telemetry
