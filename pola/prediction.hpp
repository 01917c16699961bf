// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "pola/event_history.hpp"

namespace airamp::pola {

/// What one predictor says of the next event.
struct Prediction {
  Symbol symbol = 0;              ///< 0 if it does not know
  std::uint16_t reliability = 0;  ///< how often predictions of its kind have been right of late, of 65536
};

/// How often predictions of one kind have been right of late.
class Reliability {
 public:
  std::uint16_t value() const { return value_; }

  void count(bool right) {
    const int target = right ? 65535 : 0;
    value_ = static_cast<std::uint16_t>(value_ + ((target - value_) >> 4));
  }

 private:
  std::uint16_t value_ = 32768;
};

}  // namespace airamp::pola
