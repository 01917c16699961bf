// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "apps/airamp/report_comparison/comparison.hpp"
#include "apps/airamp/text_table.hpp"
#include "base/safe_text.hpp"

namespace airamp::report_comparison {

namespace {

/// What a terminal may be shown: the texts are a file's.
std::vector<std::string> safe(const std::vector<std::string>& cells) {
  std::vector<std::string> safe_cells(cells.size());
  std::ranges::transform(cells, safe_cells.begin(), [](const std::string& cell) { return base::safe_text(cell); });
  return safe_cells;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text = comparison.verdict + '\n';
  for (const std::string& caveat : safe(comparison.caveats)) text += "note: " + caveat + '\n';
  for (const ComparisonTable& table : comparison.tables) {
    std::vector<std::vector<std::string>> rows{table.columns};
    for (const std::vector<std::string>& row : table.rows) rows.push_back(safe(row));
    text += '\n' + table.heading + ":\n" + command_line::text_table(rows);
  }
  return text;
}

}  // namespace airamp::report_comparison
