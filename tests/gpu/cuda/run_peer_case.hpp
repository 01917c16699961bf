// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "tests/gpu/cuda/cuda_device.hpp"
#include "tests/gpu/cuda/rank_processes.hpp"
#include "tests/gpu/peer/peer_case.hpp"

namespace airamp::gpu::test {

/// The case as this rank launches it, but for the buffers.
PeerCollective collective_of(const PeerCase& c, const Rank& rank, const OpenedDevice& opened, const Regions& regions);

/// Launches what all ranks launch at the same time, and waits for it. Throws if it cannot be launched; if it fails or
/// does not end, the run fails, and says of what.
void launch_together(const Rank& rank, const OpenedDevice& opened, const PeerCollective& collective,
                     const std::string& what);

/// Runs a case on this rank, and compares its output with the host's and its region with holes. What went wrong, or an
/// empty text. Throws if the ranks cannot go on.
std::string run_case(const Rank& rank, const OpenedDevice& opened, const Regions& regions, const PeerCase& c);

}  // namespace airamp::gpu::test
