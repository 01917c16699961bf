// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// What the ranks waited and came too late, as SVG. Missing values count as 0.

/// Each rank a bar upwards and one downwards; for some dozen ranks.
std::string draw_rank_bars(const RunReport& report);

/// Both sorted, as curves over all ranks; for any number of them.
std::string draw_rank_quantiles(const RunReport& report);

}  // namespace airamp::report_page
