// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "apps/airamp/report_comparison/comparison.hpp"
#include "apps/airamp/report_page/document.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/tables/table.hpp"

namespace airamp::report_comparison {
namespace {

using report_page::escape;

std::string table_section(const ComparisonTable& comparison) {
  std::vector<report_page::Table::Column> columns;
  for (const std::string& heading : comparison.columns) {
    columns.push_back({.heading = heading, .kind = report_page::Table::Column::name});
  }
  report_page::Table table(comparison.heading, columns);
  for (const std::vector<std::string>& row : comparison.rows) {
    std::vector<std::string> cells(row.size());
    std::ranges::transform(row, cells.begin(), [](const std::string& cell) { return escape(cell); });
    table.row(cells);
  }
  return report_page::section(comparison.heading, std::move(table).finish());
}

}  // namespace

std::string comparison_page(const Comparison& comparison) {
  std::string content = "<header>\n<p class=\"kind\">AIRamp comparison</p>\n<h1>Two runs, A and B</h1>\n</header>\n";
  content += "<section class=\"verdict\">\n<h2>" + escape(comparison.verdict) + "</h2>\n<ul>\n";
  for (const std::string& caveat : comparison.caveats) content += "<li>" + escape(caveat) + "</li>\n";
  content += "</ul>\n</section>\n";
  for (const ComparisonTable& table : comparison.tables) content += table_section(table);
  return report_page::document("Two runs – AIRamp comparison", content);
}

}  // namespace airamp::report_comparison
