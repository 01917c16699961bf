// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/rank_waits.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/airamp/report_page/charts/rank_charts.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

constexpr std::size_t max_bars = 64;
constexpr std::size_t max_named = 10;

std::string table_of(const RunReport& report) {
  std::vector<const RunReport::Rank*> ranks;
  for (const RunReport::Rank& rank : report.rank_costs) ranks.push_back(&rank);
  std::ranges::stable_sort(ranks, [](const RunReport::Rank* a, const RunReport::Rank* b) {
    return std::max(a->costs.lateness_seconds, 0.0) > std::max(b->costs.lateness_seconds, 0.0);
  });
  const bool all = ranks.size() <= max_named;
  if (!all) ranks.resize(max_named);
  using Kind = Table::Column;
  Table table(all ? "Ranks, the latest first" : fmt::format("The {} latest ranks", max_named),
              {{"Rank", Kind::numbers},
               {"Host", Kind::name},
               {"Came late by", Kind::numbers},
               {"Waited", Kind::numbers},
               {"In collectives", Kind::numbers}});
  for (const RunReport::Rank* rank : ranks) {
    table.row({std::to_string(rank->rank), escape(rank->costs.host), html_seconds(rank->costs.lateness_seconds),
               html_seconds(rank->costs.waiting_seconds), duration(rank->costs.collective_seconds)});
  }
  return std::move(table).finish();
}

}  // namespace

std::string rank_section(const RunReport& report) {
  constexpr std::string_view heading = "Waits per rank";
  if (report.rank_costs.empty()) {
    return section(heading, missing("The file has no times of single ranks: telemetry was off (AIRAMP_TELEMETRY=0), or "
                                    "an older AIRamp wrote it."));
  }
  const auto nothing = [](const RunReport::Rank& rank) {
    return !(rank.costs.waiting_seconds > 0) && !(rank.costs.lateness_seconds > 0);
  };
  std::string text =
      "<p>A rank that waits little and comes late holds up the others: it has more to compute, or runs slower. "
      "<em>Waited</em> is the time for the others to come to the agreement of a call, <em>late</em> how much later "
      "than "
      "PoLA expected the rank came to its calls.</p>\n";
  if (std::ranges::all_of(report.rank_costs, nothing)) {
    text += missing("No rank waited in an agreement, and none came late to a foreseen call.");
  } else {
    text += report.rank_costs.size() <= max_bars ? draw_rank_bars(report) : draw_rank_quantiles(report);
  }
  return section(heading, text + table_of(report));
}

}  // namespace airamp::report_page
