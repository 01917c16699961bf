// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/native_times.hpp"

#include <algorithm>
#include <limits>

namespace airamp::tuner {

double NativeTimes::seconds() const {
  if (times_.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (statistic_ == Statistic::minimum) return *std::min_element(times_.begin(), times_.end());
  std::vector<double> times = times_;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return *middle;
}

}  // namespace airamp::tuner
