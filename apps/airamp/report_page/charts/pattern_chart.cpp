// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/pattern_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_page/charts/axis.hpp"
#include "apps/airamp/report_page/charts/drawing.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/signature_label.hpp"
#include "apps/airamp/report_page/tables/table.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

using Pattern = RunReport::Pattern;

constexpr double left = 210;
constexpr double right = Drawing::width - 190;
constexpr double top = 8;
constexpr double row_height = 34;
constexpr double band_height = 18;
constexpr std::size_t max_lines = 24;
constexpr std::size_t max_letters = 30;
/// Time lines do not tell apart what is closer together than this, pixels.
constexpr double finest = 0.5;

std::string accuracy(const Pattern& pattern) {
  const double foreseen = static_cast<double>(pattern.hits) + static_cast<double>(pattern.misses);
  return foreseen == 0 ? "–" : percent(share(static_cast<double>(pattern.hits), foreseen));
}

/// The file has only the first changes.
bool complete(const Pattern& pattern) { return pattern.changes.size() >= pattern.locks + pattern.breaks; }

double run_seconds(const RunReport& report) {
  if (report.seconds > 0) return report.seconds;
  double last = 0;
  for (const Pattern& pattern : report.patterns) {
    for (const auto& change : pattern.changes) last = std::fmax(last, change.seconds);
  }
  return last;
}

/// From one change, or the beginning, to the next.
struct Stretch {
  double from;
  double to;
  std::string_view state;
};

std::vector<Stretch> stretches_of(const Pattern& pattern, const LinearAxis& axis, double end) {
  std::vector<Stretch> stretches = {{axis.position(0), axis.position(end), "learning"}};
  for (const auto& change : pattern.changes) {
    const double x = std::max(axis.position(change.seconds), stretches.back().from);
    stretches.back().to = x;
    stretches.push_back({x, axis.position(end), change.state == "locked" ? "locked" : "learning"});
  }
  if (!complete(pattern)) stretches.back().state = "unknown";
  return stretches;
}

void draw_line(Drawing& drawing, const LinearAxis& axis, const Pattern& pattern, double y, double end) {
  const std::string name = communicator_name(pattern.communicator);
  const double middle = y + band_height / 2 + 4;
  drawing.text(left - 14, middle, shortened(name, max_letters), "end label", name);
  double drawn_to = left;
  for (const Stretch& stretch : stretches_of(pattern, axis, end)) {
    const double from = std::max(stretch.from, drawn_to);
    if (stretch.to - from < finest) continue;
    drawing.rectangle(from, y, stretch.to - from, band_height, stretch.state, stretch.state);
    drawn_to = stretch.to;
  }
  double marked = -1;
  for (const auto& change : pattern.changes) {
    const double x = axis.position(change.seconds);
    if (x - marked < finest) continue;
    marked = x;
    const bool locked = change.state == "locked";
    drawing.line(x, y - 4, x, y + band_height + 4, locked ? "mark-lock" : "mark-break",
                 fmt::format("{} at call {}, after {}", locked ? "locked" : "broken", html_count(change.call),
                             html_seconds(change.seconds)));
  }
  std::string text = pattern.period == 0 ? "no period" : "period " + counted(pattern.period, "call", "calls");
  if (pattern.hits + pattern.misses > 0) text += " · " + accuracy(pattern) + " right";
  drawing.text(right + 14, middle, text, "small");
}

std::string draw(const std::vector<const Pattern*>& patterns, double end) {
  const LinearAxis axis(end, left, right, LinearAxis::End::exact);
  const double bottom = top + row_height * static_cast<double>(patterns.size());
  Drawing drawing(bottom + 46, "For each communicator, when PoLA was learning and when it had a pattern");
  const TimeUnit unit = time_unit(end);
  const LinearAxis in_units(end / unit.seconds, left, right, LinearAxis::End::exact);
  for (const double tick : in_units.ticks()) {
    const double x = axis.position(tick * unit.seconds);
    drawing.line(x, top, x, bottom, "grid");
    drawing.text(x, bottom + 16, fmt::format("{:g} {}", tick, unit.name), "middle faint small");
  }
  double y = top + (row_height - band_height) / 2;
  for (const Pattern* pattern : patterns) {
    draw_line(drawing, axis, *pattern, y, end);
    y += row_height;
  }
  double x = left;
  for (const char* state : {"learning", "locked", "unknown"}) {
    if (state == std::string_view("unknown") && std::ranges::all_of(patterns, complete, [](auto* p) { return *p; }))
      break;
    drawing.rectangle(x, bottom + 29, 18, 12, state);
    drawing.text(x + 25, bottom + 39, state == std::string_view("unknown") ? "not recorded" : state, "small");
    x += 110;
  }
  drawing.line(x + 8, bottom + 27, x + 8, bottom + 43, "mark-lock");
  drawing.text(x + 17, bottom + 39, "locks", "small");
  drawing.line(x + 78, bottom + 27, x + 78, bottom + 43, "mark-break");
  drawing.text(x + 87, bottom + 39, "breaks", "small");
  return std::move(drawing).finish();
}

std::string table_of(const std::vector<const Pattern*>& patterns) {
  using Kind = Table::Column;
  Table table("Patterns", {{"Communicator", Kind::name},
                           {"At the end"},
                           {"Period", Kind::numbers},
                           {"Calls", Kind::numbers},
                           {"Foreseen", Kind::numbers},
                           {"Of these right", Kind::numbers},
                           {"Locks", Kind::numbers},
                           {"Breaks", Kind::numbers}});
  for (const Pattern* pattern : patterns) {
    table.row({escape(communicator_name(pattern->communicator)), escape(pattern->state),
               pattern->period == 0 ? "–" : counted(pattern->period, "call", "calls"), html_count(pattern->calls),
               html_count(pattern->hits + pattern->misses), accuracy(*pattern), html_count(pattern->locks),
               html_count(pattern->breaks)});
  }
  return std::move(table).finish();
}

}  // namespace

std::string pattern_section(const RunReport& report) {
  constexpr std::string_view heading = "Pattern of life";
  std::vector<const Pattern*> patterns;
  for (const Pattern& pattern : report.patterns) patterns.push_back(&pattern);
  if (patterns.empty()) {
    return section(heading,
                   missing("The file names no communicator whose calls PoLA saw: it was off (AIRAMP_POLA=0), no "
                           "call came to it, or an older AIRamp wrote the file."));
  }
  std::ranges::stable_sort(patterns, std::ranges::greater(), &Pattern::calls);
  std::string text =
      "<p>Simulations repeat themselves from time step to time step. PoLA learns after how many calls the sequence of "
      "collectives on a communicator repeats (its period). While it is locked, the next call is foreseen and made "
      "ready.</p>\n";
  const std::string table = table_of(patterns);
  const double end = run_seconds(report);
  const std::size_t all = patterns.size();
  if (all > max_lines) patterns.resize(max_lines);
  text += end > 0 ? draw(patterns, end)
                  : missing("There is no time line: the file has neither the time of the run nor of any change.");
  if (all > max_lines && end > 0) {
    text += fmt::format("<p class=\"note\">The {} of {} communicators with the most calls.</p>\n", max_lines, all);
  }
  return section(heading, text + table);
}

}  // namespace airamp::report_page
