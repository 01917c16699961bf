// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// The section about PoLA's patterns: a time line per communicator and a table, as HTML.
std::string pattern_section(const RunReport& report);

}  // namespace airamp::report_page
