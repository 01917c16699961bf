// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/pola_replay/replay.hpp"

namespace airamp::pola {

/// A picture, as SVG, of one communicator: above the whole run with the state and the share of right predictions, below
/// the calls around the first lock, each where it was and where it was expected. Needs its calls.
std::string draw_time_line(const TraceReplay& replay, const CommunicatorReplay& communicator);

}  // namespace airamp::pola
