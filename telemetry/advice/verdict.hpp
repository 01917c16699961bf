// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "telemetry/advice/run_figures.hpp"

namespace airamp::telemetry {

/// The first rule that applies. `recommendations`: of the same run. May throw std::bad_alloc.
Verdict verdict_of(const RunFigures& run, std::span<const Recommendation> recommendations);

}  // namespace airamp::telemetry
