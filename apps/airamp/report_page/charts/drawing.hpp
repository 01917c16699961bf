// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airamp::report_page {

/// An inline SVG picture in the making. Lengths are in pixels of a picture as wide as the page, y goes down. How things
/// look is said by classes of the page's style. Texts are escaped here; tooltips may be empty.
class Drawing {
 public:
  /// All pictures have this width.
  static constexpr double width = 960;

  /// `description` stands for the picture where it cannot be seen.
  Drawing(double height, std::string_view description);

  void rectangle(double x, double y, double wide, double high, std::string_view look, std::string_view tooltip = "");
  void line(double x1, double y1, double x2, double y2, std::string_view look, std::string_view tooltip = "");
  void dot(double x, double y, double radius, std::string_view look, std::string_view tooltip = "");
  void polyline(const std::vector<std::pair<double, double>>& points, std::string_view look);
  void text(double x, double y, std::string_view content, std::string_view look = "", std::string_view tooltip = "");

  std::string finish() && { return std::move(content_) + "</svg>\n"; }

 private:
  void end_element(std::string_view look, std::string_view element, std::string_view tooltip);

  std::string content_;
};

}  // namespace airamp::report_page
