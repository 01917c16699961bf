// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The section about how fast AIRamp was against native, one dot per signature, as HTML.
std::string speedup_section(const RunReport& report);

}  // namespace airamp::report_page
