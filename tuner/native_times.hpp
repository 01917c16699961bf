// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace airamp::tuner {

/// Which of several times stands for all of them.
enum class Statistic {
  minimum,
  median  ///< of calls so short that how the ranks happened to begin decides on the shortest time
};

/// Times of native calls, in seconds. Not thread-safe.
class NativeTimes {
 public:
  explicit NativeTimes(Statistic statistic) : statistic_(statistic) {}

  void add(double seconds) { times_.push_back(seconds); }
  void clear() { times_.clear(); }

  /// What stands for them; the lower one of two medians. NaN if there are none.
  double seconds() const;

  Statistic statistic() const { return statistic_; }
  const std::vector<double>& all() const { return times_; }

 private:
  Statistic statistic_;
  std::vector<double> times_;
};

}  // namespace airamp::tuner
