// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/pola_replay/replay.hpp"

namespace airamp::pola {

/// All results as a JSON array with one object per trace.
std::string to_json(const std::vector<TraceReplay>& replays, const ReplayOptions& options);

}  // namespace airamp::pola
