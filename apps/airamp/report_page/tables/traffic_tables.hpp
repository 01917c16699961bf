// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// What was called and where the time went in it, as HTML.
std::string traffic_section(const RunReport& report);

}  // namespace airamp::report_page
