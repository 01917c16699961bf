// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The job's settings, those first that differ from the defaults of this version, as HTML.
std::string setting_section(const RunReport& report);

}  // namespace airamp::report_page
