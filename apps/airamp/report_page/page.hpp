// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The report as one HTML file that needs nothing else: no script, no font, no picture from elsewhere.
std::string page(const RunReport& report);

}  // namespace airamp::report_page
