// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "telemetry/advice/run_figures.hpp"

namespace airamp::telemetry {

/// What may be set otherwise, what matters most first. May throw std::bad_alloc.
std::vector<Recommendation> recommendations_of(const RunFigures& run);

}  // namespace airamp::telemetry
