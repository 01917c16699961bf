// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/path_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "apps/airamp/report_page/charts/drawing.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_look.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

constexpr double bar_height = 30;
constexpr double run_top = 22;
constexpr double parts_top = run_top + bar_height + 46;
/// A part that is narrower has no name beside it.
constexpr double narrowest_named = 110;
constexpr std::size_t max_letters = 28;

std::string look_of(const PathTime& time) {
  return time.path == tuning_path ? "tuning" : std::string(path_look(time.path));
}

/// The whole run, and in it the collectives and the messages.
void draw_run(Drawing& drawing, double run_seconds, double collectives, double messages) {
  const double inside = Drawing::width * share(collectives, run_seconds);
  const double in_messages = std::min(Drawing::width - inside, Drawing::width * share(messages, run_seconds));
  const std::string outside_text = (messages > 0 ? "outside of collectives and messages " : "outside of collectives ") +
                                   percent(share(run_seconds - collectives - messages, run_seconds));
  drawing.text(0, run_top - 8, "The run, " + duration(run_seconds), "label");
  drawing.rectangle(0, run_top, Drawing::width, bar_height, "outside", outside_text);
  drawing.rectangle(0, run_top, std::max(inside, 1.0), bar_height, "collectives",
                    "in collectives " + html_seconds(collectives));
  if (messages > 0) {
    const std::string text = "messages " + percent(share(messages, run_seconds));
    drawing.rectangle(inside, run_top, in_messages, bar_height, "messages", text + ", " + html_seconds(messages));
    if (in_messages > narrowest_named) drawing.text(inside + 10, run_top + 20, text, "label");
  }
  if (Drawing::width - inside - in_messages > 2 * narrowest_named) {
    drawing.text(Drawing::width - 10, run_top + 20, outside_text, "end faint");
  }
  drawing.line(0, run_top + bar_height, 0, parts_top, "zoom");
  drawing.line(inside, run_top + bar_height, Drawing::width, parts_top, "zoom");
}

std::string draw(const std::vector<PathTime>& times, double run_seconds, double collectives, double messages) {
  const bool run_known = !std::isnan(run_seconds);
  const double top = run_known ? parts_top : run_top;
  Drawing drawing(top + bar_height + 24, "Time in collectives by path, as part of the time of the run");
  if (run_known) draw_run(drawing, run_seconds, collectives, messages);
  drawing.text(run_known ? 12 : 0, top - 8, "In collectives, " + duration(collectives), "label");
  double x = 0;
  for (const PathTime& time : times) {
    const double width = Drawing::width * share(time.seconds, collectives);
    const std::string text = shortened(time.path, max_letters) + " " + percent(share(time.seconds, collectives));
    drawing.rectangle(x, top, width, bar_height, look_of(time) + " part", text + ", " + html_seconds(time.seconds));
    if (width > narrowest_named) drawing.text(x + 2, top + bar_height + 17, text, "small");
    x += width;
  }
  return std::move(drawing).finish();
}

std::string table_of(const std::vector<PathTime>& times, double run_seconds, double collectives) {
  Table table("Paths of rank 0's collectives", {{"Path"},
                                                {"Calls", Table::Column::numbers},
                                                {"Time", Table::Column::numbers},
                                                {"Share of collectives", Table::Column::numbers},
                                                {"Share of the run", Table::Column::numbers},
                                                {"Payload", Table::Column::numbers}});
  for (const PathTime& time : times) {
    const bool tuning = time.path == tuning_path;
    table.row({tuning ? "<span class=\"swatch tuning\"></span>tuning" : path_name(time.path), html_count(time.calls),
               html_seconds(time.seconds), percent(share(time.seconds, collectives)),
               std::isnan(run_seconds) ? "–" : percent(share(time.seconds, run_seconds)),
               tuning ? "–" : html_bytes(time.bytes)});
  }
  return std::move(table).finish();
}

}  // namespace

std::vector<PathTime> path_times(const RunReport& report) {
  std::map<std::string, PathTime> by_path;
  for (const RunReport::Traffic& row : report.traffic) {
    PathTime& time = by_path[row.path];
    time.path = row.path;
    time.calls += row.calls;
    if (row.seconds > 0) time.seconds += row.seconds;
    time.bytes += static_cast<double>(row.bytes);
  }
  std::vector<PathTime> times;
  for (const auto& [path, time] : by_path) times.push_back(time);
  std::ranges::sort(times, std::ranges::greater(), &PathTime::seconds);
  const auto native = std::ranges::find(times, "native", &PathTime::path);
  if (native != times.end() && report.tuning_seconds > 0) {
    // A measured call counts as native in the traffic, with all that was done in it.
    const double tuning = std::min(native->seconds, report.tuning_seconds);
    native->seconds -= tuning;
    times.push_back({.path = tuning_path, .calls = report.tuning_calls, .seconds = tuning});
  }
  return times;
}

double collective_seconds(const RunReport& report) {
  const std::vector<PathTime> times = path_times(report);
  return std::accumulate(times.begin(), times.end(), 0.0,
                         [](double sum, const PathTime& time) { return sum + time.seconds; });
}

double message_seconds(const RunReport& report) {
  double sum = 0;
  for (const telemetry::Report::Messages& row : report.messages) sum += std::fmax(row.calls.seconds, 0);
  return sum;
}

std::string path_time_section(const RunReport& report) {
  constexpr std::string_view heading = "Where the time went";
  const std::vector<PathTime> times = path_times(report);
  if (times.empty()) {
    return section(heading, missing("The file has no times of collectives: telemetry was off (AIRAMP_TELEMETRY=0), "
                                    "no collective was called, or an older AIRamp wrote it."));
  }
  const double collectives = collective_seconds(report);
  return section(heading,
                 "<p>Rank 0's time in MPI collectives by the path that they took. <em>Tuning</em> is what measuring "
                 "AIRamp's paths beside the native call took beyond that call.</p>\n" +
                     draw(times, report.seconds, collectives, message_seconds(report)) +
                     table_of(times, report.seconds, collectives));
}

}  // namespace airamp::report_page
