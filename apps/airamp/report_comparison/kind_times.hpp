// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp/report_comparison/comparison.hpp"

namespace airamp::report_comparison {

/// Rank 0's time in each function and size of both runs, the largest change first. Without rows if neither report has
/// times.
ComparisonTable kind_times(const Runs& runs);

}  // namespace airamp::report_comparison
