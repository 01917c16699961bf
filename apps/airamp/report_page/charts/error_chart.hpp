// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The section about how far results were from native ones, one dot per signature, as HTML.
std::string error_section(const RunReport& report);

}  // namespace airamp::report_page
