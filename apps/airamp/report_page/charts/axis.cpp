// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/axis.hpp"

#include <algorithm>
#include <cmath>

#include "apps/airamp/pola_replay/svg.hpp"

namespace airamp::report_page {
namespace {

constexpr int wanted_ticks = 6;
/// With more decades than this the numbers between powers of ten would touch each other.
constexpr double decades_with_steps = 2.6;
/// And with more than this those between 1, 2 and 5 times them.
constexpr double decades_with_fine_steps = 1.2;
constexpr double max_powers = 10;
/// Beyond these no arithmetic on ticks is safe, and no time or count is real.
constexpr double smallest_last = 1e-15;
constexpr double largest_last = 1e200;

double at(double share, double first_pixel, double last_pixel) {
  if (!(share > 0)) return first_pixel;
  return first_pixel + std::min(share, 1.0) * (last_pixel - first_pixel);
}

/// The factors times powers of ten, from the last at or below `first` to the first at or above `last`.
std::vector<double> round_numbers(const std::vector<double>& factors, double first, double last) {
  std::vector<double> ticks;
  // Rounding must not cost the tick that a value lies on.
  constexpr double near = 1 + 1e-9;
  for (double exponent = std::floor(std::log10(first)) - 1;; ++exponent) {
    for (const double factor : factors) {
      const double tick = factor * std::pow(10.0, exponent);
      if (tick <= first * near) ticks.clear();
      ticks.push_back(tick);
      if (tick * near >= last) return ticks;
    }
  }
}

std::vector<double> powers_of_ten(double first, double last) {
  const double from = std::floor(std::log10(first) + 1e-9);
  const double to = std::ceil(std::log10(last) - 1e-9);
  const double step = std::max(1.0, std::ceil((to - from) / max_powers));
  std::vector<double> ticks;
  for (double exponent = from; exponent < to + step; exponent += step) ticks.push_back(std::pow(10.0, exponent));
  return ticks;
}

}  // namespace

LinearAxis::LinearAxis(double last, double first_pixel, double last_pixel, End end)
    : last_(last > smallest_last && last < largest_last ? last : 1),
      first_pixel_(first_pixel),
      last_pixel_(last_pixel) {
  ticks_ = pola::round_steps(0, last_, wanted_ticks);
  if (end == End::exact) return;
  const double step = ticks_.size() > 1 ? ticks_[1] - ticks_[0] : last_;
  if (ticks_.back() < last_ * (1 - 1e-9)) ticks_.push_back(ticks_.back() + step);
  last_ = ticks_.back();
}

double LinearAxis::position(double value) const { return at(value / last_, first_pixel_, last_pixel_); }

LogAxis::LogAxis(double first, double last, double first_pixel, double last_pixel)
    : first_pixel_(first_pixel), last_pixel_(last_pixel) {
  const double decades = std::log10(last / first);
  if (decades > decades_with_steps) {
    ticks_ = powers_of_ten(first, last);
  } else {
    ticks_ = round_numbers(
        decades > decades_with_fine_steps ? std::vector<double>{1, 2, 5} : std::vector<double>{1, 1.5, 2, 3, 5, 7},
        first, last);
  }
  first_log_ = std::log10(ticks_.front());
  last_log_ = std::log10(ticks_.back());
}

double LogAxis::position(double value) const {
  const double share = value > 0 ? (std::log10(value) - first_log_) / (last_log_ - first_log_) : 0;
  return at(share, first_pixel_, last_pixel_);
}

}  // namespace airamp::report_page
