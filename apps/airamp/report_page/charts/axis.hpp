// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace airamp::report_page {

/// Axes turn values into pixels, and know the round values among them. Values outside of an axis are put on its nearer
/// end, NaN on its first.

/// From 0 to `last`, or to the next round number above it.
class LinearAxis {
 public:
  enum class End : unsigned char { round, exact };

  LinearAxis(double last, double first_pixel, double last_pixel, End end = End::round);

  double position(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  std::vector<double> ticks_;
  double last_;
  double first_pixel_;
  double last_pixel_;
};

/// Logarithmic, from the round number below `first` to the one above `last`. Both are
/// positive and finite, and `first` is less than `last`.
class LogAxis {
 public:
  LogAxis(double first, double last, double first_pixel, double last_pixel);

  double position(double value) const;
  const std::vector<double>& ticks() const { return ticks_; }

 private:
  std::vector<double> ticks_;
  double first_log_ = 0;
  double last_log_ = 0;
  double first_pixel_;
  double last_pixel_;
};

}  // namespace airamp::report_page
