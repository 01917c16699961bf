// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/svg.hpp"

#include <cmath>
#include <iterator>

namespace airamp::pola {

std::string escape_xml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '&') {
      escaped += "&amp;";
    } else if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c >= ' ' && c <= '~') {
      escaped += c;
    }
  }
  return escaped;
}

std::vector<double> round_steps(double first, double last, int count) {
  if (!(last > first) || count < 1) return {first};
  const double rough = (last - first) / count;
  const double magnitude = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * magnitude;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * magnitude >= rough) step = factor * magnitude;
  }
  std::vector<double> steps;
  for (double k = std::ceil(first / step); k * step <= last; ++k) steps.push_back(k * step);
  return steps;
}

Svg::Svg(double width, double height)
    : content_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:g} {1:g}\" width=\"{0:g}\" "
                           "height=\"{1:g}\" font-family=\"Helvetica, Arial, sans-serif\">\n",
                           width, height)) {
  rectangle(0, 0, width, height, "#ffffff");
}

void Svg::rectangle(double x, double y, double width, double height, std::string_view fill, double opacity) {
  fmt::format_to(std::back_inserter(content_),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" opacity=\"{:g}\"/>\n",
                 x, y, width, height, fill, opacity);
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view stroke, double width) {
  fmt::format_to(
      std::back_inserter(content_),
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" stroke-width=\"{:g}\"/>\n", x1, y1,
      x2, y2, stroke, width);
}

void Svg::ring(double x, double y, double radius, std::string_view stroke, std::string_view fill) {
  fmt::format_to(std::back_inserter(content_),
                 "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\" stroke=\"{}\" stroke-width=\"1.4\" fill=\"{}\"/>\n", x,
                 y, radius, stroke, fill);
}

void Svg::polyline(const std::vector<std::pair<double, double>>& points, std::string_view stroke) {
  content_ += "<polyline points=\"";
  for (const auto& [x, y] : points) fmt::format_to(std::back_inserter(content_), "{:.1f},{:.1f} ", x, y);
  fmt::format_to(std::back_inserter(content_), "\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>\n", stroke);
}

void Svg::text(double x, double y, std::string_view content, double size, std::string_view anchor,
               std::string_view fill) {
  fmt::format_to(std::back_inserter(content_),
                 "<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{:g}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y,
                 size, anchor, fill, escape_xml(content));
}

}  // namespace airamp::pola
