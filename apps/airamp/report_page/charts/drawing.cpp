// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/drawing.hpp"

#include <fmt/format.h>

#include <iterator>

#include "apps/airamp/report_page/escape.hpp"

namespace airamp::report_page {

Drawing::Drawing(double height, std::string_view description)
    : content_(fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" "
                           "aria-label=\"{}\">\n",
                           width, height, escape(description))) {}

void Drawing::rectangle(double x, double y, double wide, double high, std::string_view look, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(content_), "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", x,
                 y, wide, high);
  end_element(look, "rect", tooltip);
}

void Drawing::line(double x1, double y1, double x2, double y2, std::string_view look, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(content_), "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", x1, y1,
                 x2, y2);
  end_element(look, "line", tooltip);
}

void Drawing::dot(double x, double y, double radius, std::string_view look, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(content_), "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"", x, y, radius);
  end_element(look, "circle", tooltip);
}

void Drawing::polyline(const std::vector<std::pair<double, double>>& points, std::string_view look) {
  content_ += "<polyline points=\"";
  for (const auto& [x, y] : points) fmt::format_to(std::back_inserter(content_), "{:.1f},{:.1f} ", x, y);
  content_ += '"';
  end_element(look, "polyline", "");
}

void Drawing::text(double x, double y, std::string_view content, std::string_view look, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(content_), "<text x=\"{:.1f}\" y=\"{:.1f}\"", x, y);
  if (!look.empty()) fmt::format_to(std::back_inserter(content_), " class=\"{}\"", look);
  content_ += '>' + escape(content);
  if (!tooltip.empty()) content_ += "<title>" + escape(tooltip) + "</title>";
  content_ += "</text>\n";
}

void Drawing::end_element(std::string_view look, std::string_view element, std::string_view tooltip) {
  fmt::format_to(std::back_inserter(content_), " class=\"{}\"", look);
  content_ +=
      tooltip.empty() ? std::string("/>\n") : fmt::format("><title>{}</title></{}>\n", escape(tooltip), element);
}

}  // namespace airamp::report_page
