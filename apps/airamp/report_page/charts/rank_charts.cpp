// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/rank_charts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_page/charts/axis.hpp"
#include "apps/airamp/report_page/charts/drawing.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/html/html.hpp"

namespace airamp::report_page {
namespace {

using Costs = telemetry::Report::Rank;

constexpr double left = 76;
constexpr double right = Drawing::width - 10;
constexpr double top = 30;
constexpr double height = 220;
constexpr double bottom = top + height;
constexpr double widest_bar = 40;
constexpr std::size_t max_points = 400;

double not_negative(double seconds) { return seconds > 0 ? seconds : 0; }

double largest(const RunReport& report, double Costs::*quantity) {
  double most = 0;
  for (const RunReport::Rank& rank : report.rank_costs) most = std::fmax(most, rank.costs.*quantity);
  return most;
}

void draw_time_grid(Drawing& drawing, const LinearAxis& axis, const TimeUnit& unit) {
  for (const double tick : axis.ticks()) {
    const double y = axis.position(tick);
    drawing.line(left, y, right, y, "grid");
    drawing.text(left - 8, y + 4, fmt::format("{:g} {}", tick, unit.name), "end faint small");
  }
}

void draw_legend(Drawing& drawing, double y) {
  drawing.rectangle(left, y - 10, 14, 11, "waiting");
  drawing.text(left + 21, y, "waited for other ranks", "small");
  drawing.rectangle(left + 190, y - 10, 14, 11, "lateness");
  drawing.text(left + 211, y, "came late itself", "small");
}

std::vector<std::pair<double, double>> sorted_curve(const RunReport& report, double Costs::*quantity,
                                                    const LinearAxis& axis, double unit_seconds) {
  std::vector<double> seconds;
  for (const RunReport::Rank& rank : report.rank_costs) seconds.push_back(not_negative(rank.costs.*quantity));
  std::ranges::sort(seconds);
  const std::size_t points = std::min(seconds.size(), max_points);
  std::vector<std::pair<double, double>> curve;
  for (std::size_t i = 0; i < points; ++i) {
    const double at = points > 1 ? static_cast<double>(i) / static_cast<double>(points - 1) : 0;
    const auto rank = static_cast<std::size_t>(std::lround(at * static_cast<double>(seconds.size() - 1)));
    curve.emplace_back(left + at * (right - left), axis.position(seconds[rank] / unit_seconds));
  }
  return curve;
}

}  // namespace

std::string draw_rank_bars(const RunReport& report) {
  const double waiting = largest(report, &Costs::waiting_seconds);
  const double lateness = largest(report, &Costs::lateness_seconds);
  const TimeUnit unit = time_unit(std::max(waiting, lateness));
  // One scale for both directions: the zero line lies where both fit.
  const double zero = top + height * std::clamp(share(waiting, waiting + lateness), 0.15, 0.85);
  const double pixels_per_second =
      std::min((zero - top) / std::max(waiting, 1e-12), (bottom - zero) / std::max(lateness, 1e-12));
  Drawing drawing(bottom + 52, "Seconds that each rank waited for others, upwards, and came late itself, downwards");
  draw_legend(drawing, 14);
  const double upper = (zero - top) / pixels_per_second / unit.seconds;
  const double lower = (bottom - zero) / pixels_per_second / unit.seconds;
  const LinearAxis in_units(std::max(upper, lower), 0, 1);
  for (const double direction : {-1.0, 1.0}) {
    const double reach = direction < 0 ? upper : lower;
    for (const double tick : in_units.ticks()) {
      if (tick > reach * (1 + 1e-9) || (tick == 0 && direction > 0)) continue;
      const double y = zero + direction * tick * unit.seconds * pixels_per_second;
      drawing.line(left, y, right, y, tick == 0 ? "zero" : "grid");
      drawing.text(left - 8, y + 4, fmt::format("{:g} {}", tick, unit.name), "end faint small");
    }
  }
  const auto ranks = report.rank_costs.size();
  const double pitch = (right - left) / static_cast<double>(ranks);
  const double bar = std::min(pitch * 0.72, widest_bar);
  const std::size_t label_every = ranks > 32 ? 4 : ranks > 16 ? 2 : 1;
  for (std::size_t i = 0; i < ranks; ++i) {
    const auto& [rank, costs] = report.rank_costs[i];
    const double middle = left + (static_cast<double>(i) + 0.5) * pitch;
    const double up = not_negative(costs.waiting_seconds) * pixels_per_second;
    const double down = not_negative(costs.lateness_seconds) * pixels_per_second;
    const std::string text = fmt::format("rank {} on {}: waited {}, late by {}, in collectives {}", rank, costs.host,
                                         html_seconds(costs.waiting_seconds), html_seconds(costs.lateness_seconds),
                                         html_seconds(costs.collective_seconds));
    drawing.rectangle(middle - bar / 2, zero - up, bar, up, "waiting", text);
    drawing.rectangle(middle - bar / 2, zero, bar, down, "lateness", text);
    if (i % label_every == 0) drawing.text(middle, bottom + 20, std::to_string(rank), "middle faint small", costs.host);
  }
  drawing.text((left + right) / 2, bottom + 42, "rank", "middle faint small");
  return std::move(drawing).finish();
}

std::string draw_rank_quantiles(const RunReport& report) {
  const double most = std::max(largest(report, &Costs::waiting_seconds), largest(report, &Costs::lateness_seconds));
  const TimeUnit unit = time_unit(most);
  const LinearAxis axis(most / unit.seconds, bottom, top);
  Drawing drawing(bottom + 46, "What ranks waited for others and came late themselves, each sorted over all ranks");
  draw_legend(drawing, 14);
  draw_time_grid(drawing, axis, unit);
  for (int part = 0; part <= 100; part += 10) {
    const double x = left + (right - left) * part / 100;
    drawing.line(x, bottom, x, bottom + 4, "zero");
    drawing.text(x, bottom + 18, fmt::format("{} %", part), part == 100 ? "end faint small" : "middle faint small");
  }
  drawing.text((left + right) / 2, bottom + 40,
               fmt::format("share of the {} ranks, from the least to the most", report.rank_costs.size()),
               "middle faint small");
  drawing.polyline(sorted_curve(report, &Costs::waiting_seconds, axis, unit.seconds), "curve waiting-line");
  drawing.polyline(sorted_curve(report, &Costs::lateness_seconds, axis, unit.seconds), "curve lateness-line");
  return std::move(drawing).finish();
}

}  // namespace airamp::report_page
