// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "telemetry/advice/run_figures.hpp"

namespace airamp::telemetry {

/// What was seen beyond what AIRamp can change, what matters most first. May throw std::bad_alloc.
std::vector<Finding> findings_of(const RunFigures& run);

}  // namespace airamp::telemetry
