// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "apps/airamp/pola_replay/svg.hpp"

namespace airamp::pola {

/// Time along a picture, in a unit that reads well.
class TimeAxis {
 public:
  static constexpr double left = 210;    ///< where it begins, in pixels
  static constexpr double right = 1170;  ///< where it ends
  static constexpr const char* grid_colour = "#e4e4e4";

  TimeAxis(std::int64_t first_ns, std::int64_t last_ns)
      : first_ns_(static_cast<double>(first_ns)), span_ns_(std::max(static_cast<double>(last_ns - first_ns), 1.0)) {
    if (span_ns_ < 2e6) {
      unit_ns_ = 1e3;
      unit_ = "us";
    } else if (span_ns_ < 2e9) {
      unit_ns_ = 1e6;
      unit_ = "ms";
    }
  }

  /// Where a time is, in pixels.
  double x(std::int64_t time_ns) const { return x_of(static_cast<double>(time_ns)); }

  /// Draws the grid between two heights, and the scale below it.
  void draw(Svg& svg, double top, double bottom) const {
    for (const double step : round_steps(first_ns_ / unit_ns_, (first_ns_ + span_ns_) / unit_ns_, 10)) {
      const double x = x_of(step * unit_ns_);
      svg.line(x, top, x, bottom, grid_colour);
      svg.text(x, bottom + 15, fmt::format("{:g}", step), 11, "middle");
    }
    svg.text(right, bottom + 30, fmt::format("time since the start of the trace, {}", unit_), 11, "end");
  }

 private:
  double x_of(double time_ns) const { return left + (right - left) * (time_ns - first_ns_) / span_ns_; }

  double first_ns_;
  double span_ns_;
  double unit_ns_ = 1e9;
  const char* unit_ = "s";
};

}  // namespace airamp::pola
