// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "apps/airamp_probe/answers.hpp"

namespace airamp::probe {

/// Measures how long a flag in memory takes from one of this process's processors to another. At most 15 seconds: pairs
/// that are left then are left out.
FlagLatency measure_flag_latency();

/// The pairs of processors that are measured: all of up to 12 processors; of more, each with the first and with the
/// next.
std::vector<std::pair<int, int>> flag_pairs(const std::vector<int>& processors);

}  // namespace airamp::probe
