// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace airamp::base {

/// The last `most` samples of a quantity, for its median. Fixed memory. Not thread-safe.
template <std::size_t most = 64>
class RecentSamples {
 public:
  void record(double sample) noexcept {
    samples_[next_ % samples_.size()] = sample;
    ++next_;
  }

  bool empty() const noexcept { return next_ == 0; }

  /// Those that count.
  std::size_t size() const noexcept { return std::min(next_, most); }

  /// Median (the upper one of an even number); NaN if there are no samples.
  double median() const noexcept {
    const std::size_t count = size();
    if (count == 0) return std::numeric_limits<double>::quiet_NaN();
    auto sorted = samples_;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(sorted.begin(), middle, sorted.begin() + static_cast<std::ptrdiff_t>(count));
    return *middle;
  }

 private:
  std::array<double, most> samples_{};
  std::size_t next_ = 0;
};

}  // namespace airamp::base
