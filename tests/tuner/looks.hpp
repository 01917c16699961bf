// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "tuner/signature_tuner.hpp"

// Tuners of one candidate, and looks at what they have decided.
namespace airamp::tuner {

inline constexpr int native_choice = SignatureTuner::native_choice;
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

inline CallMeasurement measured(double native, double candidate, double error = 0.01) {
  return {.native_seconds = native,
          .candidates = {{.seconds = candidate, .relative_error = error, .maximum_error = error}}};
}

using Step = SignatureTuner::Step;

/// Goes through the calls in which native is timed alone.
inline void time_native(SignatureTuner& tuner, double seconds) {
  while (tuner.next() == Step::native_alone) tuner.record_native(seconds);
}

/// A tuner of one candidate after its warm-up.
inline SignatureTuner decided(double native, double candidate, double error = 0.01) {
  SignatureTuner tuner({.warmup_iterations = 2, .min_speedup = 1.05, .max_relative_error = 0.05}, 1);
  time_native(tuner, native);
  tuner.record(measured(native, candidate, error));
  tuner.record(measured(native, candidate, error));
  return tuner;
}

/// Runs calls up to the next look at the decision, which begins with native alone.
inline std::uint64_t run_to_review(SignatureTuner& tuner) {
  std::uint64_t calls = 0;
  for (; tuner.next() == Step::choice; ++calls) tuner.count_calls(1);
  EXPECT_EQ(tuner.next(), Step::native_alone);
  return calls;
}

/// The two calls of a look at the decision.
inline void review(SignatureTuner& tuner, const CallMeasurement& measurement) {
  time_native(tuner, measurement.native_seconds);
  EXPECT_EQ(tuner.next(), Step::measurement);
  tuner.record(measurement);
}

}  // namespace airamp::tuner
