// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace airamp::testing {

/// The correctly rounded sum of finite numbers, worked out as on paper: how many ones there are in each binary place,
/// carried at the end. Slow. What exact sums are compared with.
class BitwiseSum {
 public:
  /// `value`: finite.
  void add(double value) {
    int exponent = 0;
    double fraction = std::frexp(std::fabs(value), &exponent);  // 0.1xxx in binary
    for (int place = exponent - 1; fraction != 0; --place) {
      fraction *= 2;
      if (fraction < 1) continue;
      fraction -= 1;
      ones_[index_of(place)] += value < 0 ? -1 : 1;
    }
  }

  /// To nearest, ties to even. Real: float or double.
  template <class Real>
  Real rounded() const {
    std::vector<int> bits = ones_;
    const bool negative = carry(bits) < 0;
    if (negative) {
      for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = -ones_[i];
      carry(bits);
    }
    int top = static_cast<int>(bits.size()) - 1;
    while (top >= 0 && bits[static_cast<std::size_t>(top)] == 0) --top;
    const int subnormal = std::numeric_limits<Real>::min_exponent - std::numeric_limits<Real>::digits;
    const int last = std::max(top - std::numeric_limits<Real>::digits + 1, static_cast<int>(index_of(subnormal)));
    double kept = 0;  // a whole number below 2^53
    for (int i = top; i >= last; --i) kept = 2 * kept + bits[static_cast<std::size_t>(i)];
    const auto rest = std::vector<int>(bits.begin(), bits.begin() + last);
    const bool half = !rest.empty() && rest.back() == 1;
    const bool more = half && std::any_of(rest.begin(), rest.end() - 1, [](int bit) { return bit == 1; });
    if (half && (more || std::fmod(kept, 2) == 1)) kept += 1;
    // what Real does not hold is infinite: the number has no more bits than Real
    const auto result = static_cast<Real>(std::ldexp(kept, last - offset));
    return negative ? -result : result;
  }

 private:
  static constexpr int offset = 1074;  // the place 2^-1074 comes first

  static std::size_t index_of(int place) { return static_cast<std::size_t>(place + offset); }

  /// Leaves 0 or 1 in each place. Returns what goes out of the last.
  static int carry(std::vector<int>& bits) {
    int carried = 0;
    for (int& bit : bits) {
      const int sum = bit + carried;
      bit = sum & 1;
      carried = (sum - bit) / 2;
    }
    return carried;
  }

  std::vector<int> ones_ = std::vector<int>(offset + 1024 + 40);
};

}  // namespace airamp::testing
