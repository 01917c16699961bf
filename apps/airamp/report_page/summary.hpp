// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// What AIRamp did in the run, what that gained, and what it left alone and why: in words and a few numbers, as HTML.
std::string summary(const RunReport& report);

}  // namespace airamp::report_page
