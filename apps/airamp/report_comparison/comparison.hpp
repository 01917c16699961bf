// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_comparison {

using report_page::RunReport;

/// A table of what two runs have, or have not, in common. Cells are plain text.
struct ComparisonTable {
  std::string heading;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

/// What changed from one run to another.
struct Comparison {
  std::string verdict;               ///< one sentence
  std::vector<std::string> caveats;  ///< why the runs, or parts of them, cannot be compared
  std::vector<ComparisonTable> tables;
};

/// Two reports with the names by which the comparison speaks of them.
struct Runs {
  const RunReport& a;
  const RunReport& b;
};

/// May throw std::bad_alloc.
Comparison compare(const Runs& runs);

/// As text for a terminal.
std::string comparison_text(const Comparison& comparison);

/// As one HTML file that needs nothing else.
std::string comparison_page(const Comparison& comparison);

/// "-12.3 %", "+4.0 %", "as before" of what changed by less than 0.05 %; "-" where one is not known, or the first is 0.
std::string change_text(double before, double after);

}  // namespace airamp::report_comparison
