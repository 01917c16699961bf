// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/pola_replay/replay.hpp"

namespace airamp::pola {

/// One trace: a line per communicator, its lock points, and with baselines the methods side by side. Of many
/// communicators the busiest are shown.
std::string describe(const TraceReplay& replay, const ReplayOptions& options);

/// Several traces: a line per trace and one of averages.
std::string summarise(const std::vector<TraceReplay>& replays, const ReplayOptions& options);

}  // namespace airamp::pola
