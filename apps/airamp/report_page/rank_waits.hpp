// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The section about ranks that wait and ranks that are waited for, as HTML.
std::string rank_section(const RunReport& report);

}  // namespace airamp::report_page
