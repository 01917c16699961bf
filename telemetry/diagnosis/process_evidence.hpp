// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// Bytes of a process as in /proc/PID/status; 0 where it does not say.
struct ProcessMemory {
  std::uint64_t resident = 0;  ///< VmRSS
  std::uint64_t swapped = 0;   ///< VmSwap
};

/// From the text of /proc/PID/status.
ProcessMemory parse_memory(std::string_view status);

/// The path of a cgroup of version 2, from the text of /proc/PID/cgroup; empty if there is none.
std::string_view parse_cgroup(std::string_view text);

/// Fills in, for each rank whose process is known to run, what its segment does not tell: whether its cgroup is frozen,
/// and how much of its memory is resident and swapped out. May throw std::bad_alloc.
void look_at_processes(std::vector<RankSnapshot>& ranks);

}  // namespace airamp::telemetry
