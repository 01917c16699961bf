// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// A list of the reasons for which calls took the MPI library's own way, the most frequent first, as HTML; empty if
/// there were no such calls.
std::string untouched(const RunReport& report);

}  // namespace airamp::report_page
