// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/page.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "apps/airamp/report_page/advice_section.hpp"
#include "apps/airamp/report_page/charts/error_chart.hpp"
#include "apps/airamp/report_page/charts/pattern_chart.hpp"
#include "apps/airamp/report_page/charts/speedup_chart.hpp"
#include "apps/airamp/report_page/document.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_time.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/rank_waits.hpp"
#include "apps/airamp/report_page/summary.hpp"
#include "apps/airamp/report_page/tables/call_site_table.hpp"
#include "apps/airamp/report_page/tables/setting_table.hpp"
#include "apps/airamp/report_page/tables/signature_table.hpp"
#include "apps/airamp/report_page/tables/traffic_tables.hpp"

namespace airamp::report_page {
namespace {

/// "2026-11-21T15:04:05Z" as "2026-11-21 15:04:05 UTC"; what looks different stays as it is.
std::string time_text(std::string time) {
  constexpr std::size_t place_of_t = 10;
  if (time.size() != 20 || time[place_of_t] != 'T' || time.back() != 'Z') return time;
  time[place_of_t] = ' ';
  time.replace(time.size() - 1, 1, " UTC");
  return time;
}

std::string header(const RunReport& report, const std::string& title) {
  std::string facts;
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) facts += (facts.empty() ? "" : " · ") + escape(fact);
  };
  add(time_text(report.started));
  add(counted(report.ranks, "rank", "ranks"));
  add(report.mpi.substr(0, report.mpi.find(',')));  // Open MPI goes on about who built it where
  add(report.version.empty() ? "" : "AIRamp " + report.version);
  return fmt::format(
      "<header>\n<p class=\"kind\">AIRamp report</p>\n<h1>{}</h1>\n<p class=\"faint\">{}</p>\n</header>\n",
      escape(title), facts);
}

}  // namespace

std::string page(const RunReport& report) {
  const std::string name = std::filesystem::path(report.program).filename().string();
  const std::string title = name.empty() ? "A run with AIRamp for MPI" : name;
  std::string text = header(report, title);
  text += advice_section(report) + summary(report) + path_time_section(report) + speedup_section(report) +
          error_section(report);
  text += pattern_section(report) + rank_section(report);
  text += signature_section(report) + traffic_section(report) + call_site_section(report) + setting_section(report);
  text +=
      "<footer><p>Counts and times are rank 0's where nothing else is said. An estimate is no measurement of the run "
      "without AIRamp: for that, run it with AIRAMP_DISABLE=1.</p></footer>\n";
  return document(title + " – AIRamp report", text);
}

}  // namespace airamp::report_page
