// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/setting_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "config/load.hpp"

namespace airamp::report_page {
namespace {

struct Row {
  std::string key;
  std::string value;
  std::string default_text;
  bool known;
  bool changed() const { return known && value != default_text; }
};

std::vector<Row> rows_of(const RunReport& report) {
  const std::vector<config::SettingInfo>& infos = config::setting_infos();
  std::vector<Row> rows;
  for (const auto& [key, value] : report.settings) {
    const auto info = std::ranges::find(infos, key, &config::SettingInfo::key);
    const bool known = info != infos.end();
    rows.push_back({key, value, known ? info->default_text : "", known});
  }
  std::ranges::stable_partition(rows, &Row::changed);
  return rows;
}

}  // namespace

std::string setting_section(const RunReport& report) {
  constexpr std::string_view heading = "Settings of the job";
  if (report.settings.empty()) return section(heading, missing("The file has no settings."));
  const std::vector<Row> rows = rows_of(report);
  const auto changed = std::ranges::count_if(rows, &Row::changed);
  Table table("Settings", {{"Setting"}, {"Value", Table::Column::name}, {"Default", Table::Column::name}, {"Note"}});
  for (const Row& row : rows) {
    table.row({fmt::format("<code>{}</code>", escape(row.key)), fmt::format("<code>{}</code>", escape(row.value)),
               row.known ? fmt::format("<code>{}</code>", escape(row.default_text)) : "–",
               row.changed() ? "<strong>differs from the default</strong>"
               : row.known   ? ""
                             : "not a setting of this version of airamp"},
              row.changed() ? "changed" : "");
  }
  const std::string text = changed == 0
                               ? "<p>All settings had their defaults.</p>\n"
                               : fmt::format("<p>{} of {} settings {} from {} default.</p>\n", changed, rows.size(),
                                             changed == 1 ? "differs" : "differ", changed == 1 ? "its" : "their");
  return section(heading, text + std::move(table).finish());
}

}  // namespace airamp::report_page
