// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::command_line {

/// Fills in the functions and lines of the places in a program, as far as their files still lie where they lay in the
/// run and have debugging information, by binutils' addr2line. Without it they stay empty.
void add_source_lines(std::vector<report_page::RunReport::CallSite>& sites);

}  // namespace airamp::command_line
