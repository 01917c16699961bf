// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "telemetry/diagnosis/hang_analysis.hpp"
#include "telemetry/diagnosis/hang_words.hpp"

namespace airamp::telemetry {

/// Whether a rank cannot go on, whatever it is doing: it is stopped, frozen or gone. One that a debugger stops, which
/// strace(1) does at each system call, or that is swapped out may be on its way: only if it is quiet for
/// `patience_seconds`.
bool does_not_run(const RankSnapshot& rank, double patience_seconds);

/// About ranks of a running job that do not run, all in the same state. None is known to be waited for in a collective.
HangReport::Finding not_running(std::vector<int> ranks, const KnownRanks& known);

/// About ranks of a dead job that have ended without MPI_Finalize.
HangReport::Finding not_finalized(std::vector<int> ranks, const KnownRanks& known);

/// About ranks that run, in no collective, and have ended none for long: no reason to suspect anything.
std::string quiet_text(const std::vector<int>& ranks, const KnownRanks& known);

}  // namespace airamp::telemetry
