// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/table.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace airamp::report_page {
namespace {

constexpr std::array looks{"", " class=\"number\"", " class=\"name\""};

}  // namespace

Table::Table(std::string_view caption, std::vector<Column> columns)
    : columns_(std::move(columns)),
      content_(fmt::format("<div class=\"scroll\"><table>\n<caption>{}</caption>\n<thead><tr>", caption)) {
  for (const Column& column : columns_) {
    content_ += fmt::format("<th scope=\"col\"{}>{}</th>", looks.at(column.kind), column.heading);
  }
  content_ += "</tr></thead>\n<tbody>\n";
}

void Table::row(const std::vector<std::string>& cells, std::string_view look) {
  if (++rows_ > max_rows) return;
  content_ += look.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", look);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string_view element = i == 0 ? "th" : "td";
    content_ += fmt::format("<{}{}{}>{}</{}>", element, i == 0 ? " scope=\"row\"" : "", looks.at(columns_.at(i).kind),
                            cells[i], element);
  }
  content_ += "</tr>\n";
}

std::string Table::finish() && {
  content_ += "</tbody>\n</table></div>\n";
  if (rows_ > max_rows) {
    content_ += fmt::format("<p class=\"note\">{} more rows are in the JSON file.</p>\n", rows_ - max_rows);
  }
  return std::move(content_);
}

}  // namespace airamp::report_page
