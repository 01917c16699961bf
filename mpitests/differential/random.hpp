// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "testing/mix.hpp"

namespace airamp::differential {

using testing::mix;

/// SplitMix64: the same sequence from the same seed on every machine, which std's distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    const std::uint64_t value = mix(state_);
    state_ += 0x9e3779b97f4a7c15U;
    return value;
  }

  /// 0 ... bound - 1; `bound` > 0.
  std::uint64_t below(std::uint64_t bound) { return bits() % bound; }

  /// 0 <= value < 1.
  double unit() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }

  bool chance(double probability) { return unit() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace airamp::differential
