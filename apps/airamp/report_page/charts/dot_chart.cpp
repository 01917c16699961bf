// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/dot_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_page/charts/axis.hpp"
#include "apps/airamp/report_page/charts/drawing.hpp"
#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_look.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/signature_label.hpp"

namespace airamp::report_page {
namespace {

constexpr double left = 290;
constexpr double right = Drawing::width - 80;
constexpr double top = 26;
constexpr double row_height = 36;
constexpr double radius = 6;
constexpr std::size_t max_letters = 44;
constexpr std::size_t max_function_letters = 22;
/// Values outside of these are drawn on them.
constexpr double smallest_drawn = 1e-12;
constexpr double largest_drawn = 1e12;

LogAxis axis_of(const DotChart& chart) {
  double first = chart.first;
  double last = chart.last;
  for (const DotChart::Row& row : chart.rows) {
    if (!(row.value > 0)) continue;
    first = std::min(first, std::max(row.value, smallest_drawn));
    last = std::max(last, std::min(row.value, largest_drawn));
  }
  if (chart.limit > 0) {
    first = std::min(first, chart.limit);
    last = std::max(last, chart.limit);
  }
  return {first, last, left, right};
}

void draw_row(Drawing& drawing, const LogAxis& axis, const DotChart& chart, const DotChart::Row& row, double middle) {
  const RunReport::Signature& signature = *row.signature;
  const std::string communicator = communicator_name(signature.communicator);
  const std::string element = element_and_op(signature);
  const std::string detail = element + (element.empty() ? "" : " · ") + communicator;
  const std::string everything =
      fmt::format("{} {}, {}, {}: {}, {} ({})", signature.function, size_range(signature.size), element, communicator,
                  row.text, signature.path, signature.why);
  drawing.text(left - 14, middle - 2,
               shortened(short_name(signature.function), max_function_letters) + " · " + size_range(signature.size),
               "end label", everything);
  drawing.text(left - 14, middle + 12, shortened(detail, max_letters), "end faint small", everything);
  const double x = axis.position(row.value);
  const bool accelerated = signature.path != "native";
  const std::string look(accelerated ? path_look(signature.path) : "native");
  drawing.line(std::isnan(chart.stem_from) ? left : axis.position(chart.stem_from), middle, x, middle, look + " stem");
  drawing.dot(x, middle, radius, look + (accelerated ? "" : " hollow"), everything);
  drawing.text(right + 12, middle + 4, row.text, accelerated ? "label" : "faint");
}

}  // namespace

std::string draw(const DotChart& chart) {
  const LogAxis axis = axis_of(chart);
  const double bottom = top + row_height * static_cast<double>(chart.rows.size());
  Drawing drawing(bottom + 26, chart.description);
  for (const double tick : axis.ticks()) {
    const double x = axis.position(tick);
    drawing.line(x, top, x, bottom, "grid");
    drawing.text(x, bottom + 18, chart.tick_text(tick), "middle faint small");
  }
  if (!std::isnan(chart.limit)) {
    const double x = axis.position(chart.limit);
    drawing.line(x, top - 6, x, bottom, "limit");
    drawing.text(x, top - 11, chart.limit_text, "middle small limit-text");
  }
  double middle = top + row_height / 2;
  for (const DotChart::Row& row : chart.rows) {
    draw_row(drawing, axis, chart, row, middle);
    middle += row_height;
  }
  return std::move(drawing).finish();
}

}  // namespace airamp::report_page
