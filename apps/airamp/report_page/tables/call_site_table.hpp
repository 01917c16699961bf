// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// From where the program called MPI, as HTML; empty if the run did not look at that.
std::string call_site_section(const RunReport& report);

}  // namespace airamp::report_page
