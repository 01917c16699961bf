// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The verdict on the run, what to set in the next one, and what was seen, as HTML; empty if the report has no verdict.
std::string advice_section(const RunReport& report);

}  // namespace airamp::report_page
