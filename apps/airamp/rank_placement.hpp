// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace airamp::command_line {

/// Where a process of this host runs, as text for people; empty where it is not known.
struct RankPlacement {
  std::string cpus;        ///< that it may run on, "0-7,16"
  std::string numa_nodes;  ///< of these
  std::string gpus;        ///< PCI addresses of the GPUs at these nodes
  std::string nics;        ///< names of the network cards at these nodes
};

/// Looks at the process from outside. Reads /proc and /sys and not hwloc, whose PCI and GPU components are plug-ins: a
/// static program, as this one must be, cannot load them.
RankPlacement rank_placement(std::uint64_t process);

}  // namespace airamp::command_line
