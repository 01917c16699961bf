// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/traffic_tables.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_look.hpp"
#include "apps/airamp/report_page/path_time.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/signature_label.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

using Kind = Table::Column;

constexpr std::size_t max_traffic = 25;

std::string upper_bound(double seconds) { return std::isnan(seconds) ? "–" : "&lt; " + html_seconds(seconds); }

std::string function_table(const RunReport& report) {
  std::map<std::string, double> seconds;
  for (const RunReport::Traffic& row : report.traffic) {
    if (row.seconds > 0) seconds[row.function] += row.seconds;
  }
  for (const telemetry::Report::Messages& row : report.messages) {
    if (row.calls.seconds > 0) seconds[row.function] += row.calls.seconds;
  }
  std::vector<std::pair<std::string, std::uint64_t>> functions = report.functions;
  std::ranges::stable_sort(functions, std::ranges::greater(), [&](const auto& function) {
    const auto found = seconds.find(function.first);
    return std::pair(found == seconds.end() ? 0.0 : found->second, function.second);
  });
  Table table("MPI functions that the program called", {{"Function", Kind::name},
                                                        {"Calls", Kind::numbers},
                                                        {"Time", Kind::numbers},
                                                        {"Share of the run", Kind::numbers}});
  for (const auto& [name, calls] : functions) {
    const auto found = seconds.find(name);
    const bool timed = found != seconds.end();
    table.row({escape(name), html_count(calls), timed ? html_seconds(found->second) : "–",
               timed && report.seconds > 0 ? percent(share(found->second, report.seconds)) : "–"});
  }
  return std::move(table).finish();
}

std::string traffic_table(const RunReport& report) {
  std::vector<const RunReport::Traffic*> rows;
  for (const RunReport::Traffic& row : report.traffic) rows.push_back(&row);
  std::ranges::stable_sort(rows, [](const RunReport::Traffic* a, const RunReport::Traffic* b) {
    return std::fmax(a->seconds, 0) > std::fmax(b->seconds, 0);
  });
  const double all = collective_seconds(report);
  if (rows.size() > max_traffic) rows.resize(max_traffic);
  Table table(report.traffic.size() > max_traffic ? "The collectives that took the most time" : "Collectives by time",
              {{"Function"},
               {"Communicator", Kind::name},
               {"Size", Kind::numbers},
               {"Path"},
               {"Calls", Kind::numbers},
               {"Time", Kind::numbers},
               {"Share", Kind::numbers},
               {"Half within", Kind::numbers},
               {"99 % within", Kind::numbers}});
  for (const RunReport::Traffic* row : rows) {
    table.row({escape(short_name(row->function)), escape(communicator_name(row->communicator)), size_range(row->size),
               path_name(row->path), html_count(row->calls), html_seconds(row->seconds),
               percent(share(row->seconds, all)), upper_bound(row->p50_seconds), upper_bound(row->p99_seconds)});
  }
  return std::move(table).finish();
}

}  // namespace

std::string traffic_section(const RunReport& report) {
  std::string text =
      report.functions.empty() ? missing("The file names no MPI function that was called.") : function_table(report);
  if (!report.traffic.empty()) {
    text += traffic_table(report);
    text += "<p class=\"note\">The last two columns are upper bounds, at most twice the true values.</p>\n";
  }
  return section("What was called", text);
}

}  // namespace airamp::report_page
