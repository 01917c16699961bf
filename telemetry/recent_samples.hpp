// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace airamp::telemetry {

/// The last 64 samples of a quantity, for its median. Fixed memory. Not thread-safe.
class RecentSamples {
 public:
  void record(double sample) noexcept {
    samples_[next_ % samples_.size()] = sample;
    ++next_;
  }

  bool empty() const noexcept { return next_ == 0; }

  /// Median (the upper one of an even number); NaN if there are no samples.
  double median() const noexcept {
    const std::size_t count = std::min(next_, samples_.size());
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    auto sorted = samples_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
  }

 private:
  std::array<double, 64> samples_{};
  std::size_t next_ = 0;
};

}  // namespace airamp::telemetry
