// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/fallback_reason.hpp"

#include <gmock/gmock.h>

#include "tuner/signature_tuner.hpp"

namespace airamp::telemetry {
namespace {

/// What the tuner says after measuring one candidate.
std::string why(double native_seconds, double seconds, double relative_error) {
  const tuner::TuningRules rules{.warmup_iterations = 1};
  tuner::SignatureTuner tuner(rules, 1);
  while (tuner.next() == tuner::SignatureTuner::Step::native_alone) tuner.record_native(native_seconds);
  tuner.record(
      {.native_seconds = native_seconds, .candidates = {{.seconds = seconds, .relative_error = relative_error}}});
  EXPECT_TRUE(tuner.decided());
  EXPECT_EQ(tuner.choice(), tuner::SignatureTuner::native_choice);
  return tuner.why();
}

TEST(FallbackReason, tells_an_error_from_a_lack_of_speed_by_the_tuners_own_words) {
  EXPECT_EQ(fallback_reason({.path = "native", .state = "decided", .why = why(1.0, 0.5, 0.9)}), "error_above_bound");
  EXPECT_EQ(fallback_reason({.path = "native", .state = "decided", .why = why(1.0, 2.0, 0.0)}), "too_slow");
}

TEST(FallbackReason, is_one_of_few_words) {
  EXPECT_EQ(fallback_reason({.path = "native", .state = "not-eligible", .why = "anything"}), "not_eligible");
  EXPECT_EQ(fallback_reason({.path = "native", .state = "measuring", .why = "some rank had no memory for it"}),
            "not_acquired");
  EXPECT_EQ(fallback_reason({.path = "native", .state = "decided", .why = "imposed by AIRAMP_FORCE"}), "imposed");
}

TEST(FallbackReason, is_empty_where_nothing_was_given_up) {
  const std::string why = tuner::SignatureTuner({}, 1).why();
  EXPECT_EQ(fallback_reason({.path = "native", .state = "measuring", .why = why}), "");
  EXPECT_EQ(fallback_reason({.path = "mpi-two-shot", .state = "decided", .why = "measured 1.70x native"}), "");
}

}  // namespace
}  // namespace airamp::telemetry
