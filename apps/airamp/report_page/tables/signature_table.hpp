// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// All kinds of calls, and why each took its path, as HTML.
std::string signature_section(const RunReport& report);

}  // namespace airamp::report_page
