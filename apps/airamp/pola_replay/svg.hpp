// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace airamp::pola {

/// The text with what XML reserves replaced, and what it forbids left out.
std::string escape_xml(std::string_view text);

/// Round numbers from `first` to `last`, about `count` of them.
std::vector<double> round_steps(double first, double last, int count);

/// A picture in the making. Lengths are in pixels, y goes down.
class Svg {
 public:
  Svg(double width, double height);

  void rectangle(double x, double y, double width, double height, std::string_view fill, double opacity = 1.0);
  void line(double x1, double y1, double x2, double y2, std::string_view stroke, double width = 1.0);
  void ring(double x, double y, double radius, std::string_view stroke, std::string_view fill = "none");
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view stroke);

  /// `anchor` is start, middle or end.
  void text(double x, double y, std::string_view content, double size = 12, std::string_view anchor = "start",
            std::string_view fill = "#333333");

  std::string finish() && { return std::move(content_) + "</svg>\n"; }

 private:
  std::string content_;
};

}  // namespace airamp::pola
