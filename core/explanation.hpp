// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <string>

#include "core/reason.hpp"

namespace airamp {

/// A reason with what belongs to it. All that is said of a decision is made of one such value.
struct Explanation {
  Reason reason = Reason::none;
  std::string detail;  ///< off, given_up, not_acquired: what exactly happened

  /// What was measured: times native (fastest, too_slow), or a relative error (error_above_bound); and what it was
  /// compared with.
  double measured = std::numeric_limits<double>::quiet_NaN();
  double bound = std::numeric_limits<double>::quiet_NaN();
};

/// The sentence for people. Computes with floating-point numbers. May throw std::bad_alloc.
std::string to_text(const Explanation& explanation);

}  // namespace airamp
