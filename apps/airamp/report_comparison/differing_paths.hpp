// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "apps/airamp/report_comparison/comparison.hpp"

namespace airamp::report_comparison {

/// Kinds of calls for which the runs decided on different paths, or measured different errors.
ComparisonTable differing_paths(const Runs& runs);

}  // namespace airamp::report_comparison
