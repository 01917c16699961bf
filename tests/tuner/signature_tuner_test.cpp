// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/signature_tuner.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "tests/tuner/looks.hpp"

namespace airamp::tuner {
namespace {

using testing::HasSubstr;

// Where measuring takes 1000 times as long as a call: the first look when calls have taken twice as long as that, later
// ones when they have taken 100 times as long.
TEST(SignatureTuner, CallsThatTakeLessThanTheirMeasurementAreMeasuredSeldom) {
  CallMeasurement measurement = measured(2.0, 1.0);
  measurement.seconds_beyond_native = 1000;
  SignatureTuner tuner({.warmup_iterations = 1}, 1);
  time_native(tuner, 2.0);
  tuner.record(measurement);
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_EQ(run_to_review(tuner), 2000U);
  review(tuner, measurement);
  EXPECT_EQ(run_to_review(tuner), 65536U);  // 100000, were it not for the limit
  CallMeasurement slower = measured(2.0, 3.0);
  slower.seconds_beyond_native = 1000;
  review(tuner, slower);                  // a doubt
  EXPECT_EQ(run_to_review(tuner), 666U);  // of 3 seconds each
  review(tuner, slower);
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(run_to_review(tuner), 50000U);
}

// The first times of native were too good: 1 in place of 2.
TEST(SignatureTuner, ShortCallsThatAreLeftNativeAreSoonMeasuredAgain) {
  CallMeasurement measurement = measured(1.0, 1.0);
  measurement.seconds_beyond_native = 1000;
  SignatureTuner tuner({.warmup_iterations = 1}, 1);
  time_native(tuner, 1.0);
  tuner.record(measurement);
  EXPECT_EQ(tuner.choice(), native_choice);
  measurement.native_seconds = 2.0;
  EXPECT_EQ(run_to_review(tuner), 2000U);
  review(tuner, measurement);
  EXPECT_EQ(tuner.choice(), native_choice);  // a doubt
  EXPECT_EQ(run_to_review(tuner), 1000U);    // of 2 seconds each
  review(tuner, measurement);
  EXPECT_EQ(tuner.choice(), 0);
}

TEST(SignatureTuner, TimesNativeThenMeasuresThenDecides) {
  SignatureTuner tuner({.warmup_iterations = 3}, 1);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(tuner.next(), Step::native_alone);
    tuner.record_native(2.0);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(tuner.decided());
    EXPECT_EQ(tuner.next(), Step::measurement);
    EXPECT_EQ(tuner.choice(), native_choice);
    tuner.record(measured(2.0, 1.0));
  }
  EXPECT_TRUE(tuner.decided());
  EXPECT_EQ(tuner.next(), Step::choice);
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_DOUBLE_EQ(tuner.speedup(0), 2.0);
}

TEST(SignatureTuner, TakesNativeAloneForNativesTime) {
  SignatureTuner tuner({.warmup_iterations = 1}, 1);
  tuner.record_native(5.0);
  tuner.record_native(1.0);
  tuner.record(measured(2.0, 1.0));  // beside a candidate native was slower
  EXPECT_DOUBLE_EQ(tuner.native_seconds(), 1.0);
  EXPECT_EQ(tuner.choice(), native_choice);
}

TEST(SignatureTuner, StaysNativeBelowTheSmallestSpeedup) {
  EXPECT_EQ(decided(1.04, 1.0).choice(), native_choice);
  EXPECT_EQ(decided(1.06, 1.0).choice(), 0);
}

TEST(SignatureTuner, JudgesByTheBestOfTheWarmUp) {
  SignatureTuner tuner({.warmup_iterations = 2}, 1);
  time_native(tuner, 1.5);
  tuner.record(measured(1.0, 9.0));  // a first call that paid for page faults
  tuner.record(measured(1.2, 0.5));
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_DOUBLE_EQ(tuner.native_seconds(), 1.0);
  EXPECT_DOUBLE_EQ(tuner.candidate_seconds(0), 0.5);
}

/// Of native calls of which some are short by chance, and of a candidate.
SignatureTuner decided_by(Statistic statistic, double candidate) {
  SignatureTuner tuner({.warmup_iterations = 2, .of_native_times = statistic}, 1);
  for (const double seconds : {9.0, 1.0, 2.0, 2.0}) tuner.record_native(seconds);
  tuner.record(measured(2.0, candidate));
  tuner.record(measured(1.0, candidate));
  return tuner;
}

TEST(SignatureTuner, MayJudgeByTheMedianOfNativesTimes) {
  EXPECT_EQ(decided_by(Statistic::minimum, 1.5).choice(), native_choice);
  EXPECT_EQ(decided_by(Statistic::median, 1.5).choice(), 0);
  EXPECT_DOUBLE_EQ(decided_by(Statistic::median, 1.5).native_seconds(), 2.0);
  EXPECT_EQ(decided_by(Statistic::median, 1.95).choice(), native_choice);
}

// Of one call or two there is no median: as many are timed as before the first decision.
TEST(SignatureTuner, LooksAgainByTheMedianOfSeveralNativeTimes) {
  SignatureTuner tuner = decided_by(Statistic::median, 1.5);
  for (int look = 0; look < 2; ++look) {
    run_to_review(tuner);
    for (const double seconds : {1.0, 2.0, 2.0}) {
      tuner.record_native(seconds);
      EXPECT_EQ(tuner.next(), Step::native_alone);
    }
    tuner.record_native(2.0);
    EXPECT_EQ(tuner.next(), Step::measurement);
    tuner.record(measured(1.0, 1.6));
    EXPECT_EQ(tuner.choice(), 0);
  }
  for (int look = 0; look < 2; ++look) {
    run_to_review(tuner);
    time_native(tuner, 1.0);
    tuner.record(measured(2.0, 1.6));
  }
  EXPECT_EQ(tuner.choice(), native_choice);
}

TEST(SignatureTuner, RefusesAnErrorAboveTheBoundHoweverFast) {
  for (double error : {0.06, infinity, not_a_number}) {
    const SignatureTuner tuner = decided(10.0, 1.0, error);
    EXPECT_EQ(tuner.choice(), native_choice) << error;
    EXPECT_EQ(tuner.why().reason, Reason::error_above_bound);
    EXPECT_THAT(to_text(tuner.why()), HasSubstr("above the bound"));
  }
}

TEST(SignatureTuner, PicksTheFastestAcceptableCandidate) {
  SignatureTuner tuner({.warmup_iterations = 1, .min_speedup = 1.05, .max_relative_error = 0.05}, 3);
  time_native(tuner, 10);
  tuner.record({.native_seconds = 10,
                .candidates = {{.seconds = 5, .relative_error = 0.01},
                               {.seconds = 2, .relative_error = 0.5},
                               {.seconds = 4, .relative_error = 0.01}}});
  EXPECT_EQ(tuner.choice(), 2);
}

TEST(SignatureTuner, SpendsAtMostOnePercentOnMonitoring) {
  for (double candidate : {0.1, 0.5, 1.0, 3.0}) {
    SignatureTuner tuner = decided(1.0, candidate);
    if (tuner.choice() != native_choice) {  // the early second look
      run_to_review(tuner);
      review(tuner, measured(1.0, candidate));
    }
    const double call = tuner.choice() == native_choice ? 1.0 : candidate;
    double spent = 0;
    double useful = 0;
    for (int look = 0; look < 5; ++look) {
      useful += static_cast<double>(run_to_review(tuner)) * call;
      review(tuner, measured(1.0, candidate));
      spent += 1.0 + candidate - call;
      EXPECT_LE(spent, 0.0101 * useful) << candidate;
    }
  }
}

TEST(SignatureTuner, LooksLessOftenWhileTheDecisionHolds) {
  SignatureTuner tuner = decided(2.0, 1.0);
  run_to_review(tuner);
  review(tuner, measured(2.0, 1.0));
  std::uint64_t previous = run_to_review(tuner);
  for (int i = 0; i < 3; ++i) {
    review(tuner, measured(2.0, 1.0));
    const std::uint64_t window = run_to_review(tuner);
    EXPECT_GE(window, 2 * previous);
    previous = window;
  }
}

TEST(SignatureTuner, MeasuresTheFirstDecisionForACandidateAgainSoon) {
  SignatureTuner tuner = decided(2.0, 1.0);
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_LE(run_to_review(tuner), 8U);
  review(tuner, measured(2.0, 1.0));
  EXPECT_GE(run_to_review(tuner), 64U);
}

TEST(SignatureTuner, LeavesACandidateOnlyAfterTwoBadReviewsInARow) {
  SignatureTuner tuner = decided(2.0, 1.0);
  run_to_review(tuner);
  review(tuner, measured(1.0, 1.5));
  EXPECT_EQ(tuner.choice(), 0);         // once may be noise
  EXPECT_LE(run_to_review(tuner), 8U);  // but is looked at again soon
  review(tuner, measured(1.0, 1.5));
  EXPECT_EQ(tuner.choice(), native_choice);
}

TEST(SignatureTuner, AGoodReviewClearsADoubt) {
  SignatureTuner tuner = decided(2.0, 1.0);
  for (int i = 0; i < 4; ++i) {
    run_to_review(tuner);
    review(tuner, measured(1.0, 1.5));
    run_to_review(tuner);
    review(tuner, measured(2.0, 1.0));
    EXPECT_EQ(tuner.choice(), 0);
  }
}

TEST(SignatureTuner, ReturnsToACandidateOnlyWithAMargin) {
  SignatureTuner tuner = decided(1.0, 1.0);
  for (int i = 0; i < 3; ++i) {
    run_to_review(tuner);
    review(tuner, measured(1.07, 1.0));  // above the threshold of 1.05, but not by 5 %
  }
  EXPECT_EQ(tuner.choice(), native_choice);
  for (int i = 0; i < 2; ++i) {
    run_to_review(tuner);
    review(tuner, measured(1.2, 1.0));
  }
  EXPECT_EQ(tuner.choice(), 0);
}

TEST(SignatureTuner, AnErrorOutOfBoundsEndsACandidateAtOnceAndForGood) {
  SignatureTuner tuner = decided(2.0, 1.0);
  run_to_review(tuner);
  review(tuner, measured(2.0, 1.0, 0.2));
  EXPECT_EQ(tuner.choice(), native_choice);
  for (int i = 0; i < 4; ++i) {
    run_to_review(tuner);
    review(tuner, measured(2.0, 0.5, 0.001));
    EXPECT_EQ(tuner.choice(), native_choice);
  }
}

TEST(SignatureTuner, EqualMeasurementsGiveEqualDecisionsAtEveryCall) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> seconds(0.0, 0.5);
  SignatureTuner one({}, 2);
  SignatureTuner other({}, 2);
  for (int call = 0; call < 20000; ++call) {
    ASSERT_EQ(one.next(), other.next());
    ASSERT_EQ(one.choice(), other.choice());
    if (one.next() == Step::choice) {
      one.count_calls(1);
      other.count_calls(1);
      continue;
    }
    if (one.next() == Step::native_alone) {
      const double agreed = seconds(random);
      one.record_native(agreed);
      other.record_native(agreed);
      continue;
    }
    const CallMeasurement agreed{.native_seconds = seconds(random),
                                 .candidates = {{.seconds = seconds(random), .relative_error = 0.01},
                                                {.seconds = seconds(random), .relative_error = 0.02}}};
    one.record(agreed);
    other.record(agreed);
  }
}

/// A tuner of two candidates after its warm-up.
SignatureTuner decided_of_two(double native, double first, double second) {
  SignatureTuner tuner({.warmup_iterations = 1}, 2);
  time_native(tuner, native);
  tuner.record({.native_seconds = native, .candidates = {{.seconds = first}, {.seconds = second}}});
  return tuner;
}

TEST(SignatureTuner, TheDigestIsThatOfTheHistory) {
  SignatureTuner one({.warmup_iterations = 1}, 1);
  SignatureTuner other({.warmup_iterations = 1}, 1);
  const auto same = [&] { return one.digest() == other.digest(); };
  EXPECT_TRUE(same());
  EXPECT_NE(one.digest(), SignatureTuner({.warmup_iterations = 1}, 2).digest());
  EXPECT_NE(one.digest(), SignatureTuner({.of_native_times = Statistic::median}, 1).digest());
  one.record_native(2.0);
  EXPECT_FALSE(same());
  other.record_native(2.0);
  EXPECT_TRUE(same());
  time_native(one, 2.0);
  time_native(other, 2.0);
  one.record(measured(2.0, 1.0));
  other.record(measured(2.0, 1.0 + 1e-12));
  EXPECT_EQ(one.choice(), other.choice());
  EXPECT_FALSE(same());
  other = one;
  EXPECT_TRUE(same());
  one.count_calls(1);
  EXPECT_FALSE(same()) << "it would be measured again sooner";
  other.count_calls(1);
  one.give_up(0, "for the test");
  EXPECT_TRUE(one.given_up(0));
  EXPECT_FALSE(other.given_up(0));
  EXPECT_FALSE(same());
}

TEST(SignatureTuner, ACandidateThatIsGivenUpLeavesTheRaceForGood) {
  SignatureTuner tuner = decided_of_two(2.0, 1.5, 1.0);
  EXPECT_EQ(tuner.choice(), 1);
  tuner.give_up(1, "no more of it");
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_EQ(tuner.why().reason, Reason::fastest);
  EXPECT_EQ(to_text(tuner.why()), "measured 1.33x native");
  for (int i = 0; i < 3; ++i) {
    run_to_review(tuner);
    review(tuner, {.native_seconds = 2.0, .candidates = {{.seconds = 1.5}, {.seconds = 0.1}}});
    EXPECT_EQ(tuner.choice(), 0);
  }
}

// What is given up does not run, and its time is infinite; what a measurement costs beyond a call is native, 2.0 s.
TEST(SignatureTuner, ACandidateThatIsGivenUpDoesNotCostMeasurements) {
  SignatureTuner tuner = decided_of_two(2.0, 1.5, 1.0);
  tuner.give_up(1, "no more of it");
  run_to_review(tuner);
  review(tuner, {.native_seconds = 2.0, .candidates = {{.seconds = 1.5}, {.seconds = infinity}}});
  EXPECT_EQ(run_to_review(tuner), 133U);  // 1 % of 1.5 s each are 2.0 s
}

TEST(SignatureTuner, GivingUpTheLastCandidateIsNative) {
  SignatureTuner tuner = decided(2.0, 1.0);
  tuner.give_up(0, "no more of it");
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(tuner.why().reason, Reason::given_up);
  EXPECT_EQ(to_text(tuner.why()), "no more of it");
}

TEST(SignatureTuner, GivingUpALoserChangesNothing) {
  SignatureTuner tuner = decided_of_two(2.0, 1.0, 1.5);
  tuner.give_up(1, "no more of it");
  EXPECT_EQ(tuner.choice(), 0);
  tuner = decided_of_two(1.0, 1.0, 1.0);
  tuner.give_up(1, "no more of it");
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(tuner.why().reason, Reason::too_slow);
  EXPECT_THAT(to_text(tuner.why()), HasSubstr("only 1.00x native"));
}

/// A tuner of two candidates, the second of which never runs.
SignatureTuner half_measured(double native, double candidate) {
  SignatureTuner tuner({.warmup_iterations = 2, .min_speedup = 1.05, .max_relative_error = 0.05}, 2);
  time_native(tuner, native);
  for (int i = 0; i < 2; ++i)
    tuner.record({.native_seconds = native,
                  .candidates = {{.seconds = candidate}, {.seconds = infinity, .relative_error = infinity}}});
  return tuner;
}

// The others' windows are as if it were not there: 100 times what a measurement costs beyond a call, and 8 calls first.
TEST(SignatureTuner, WhatDidNotRunCostsNothing) {
  const CallMeasurement again = {.native_seconds = 2.0, .candidates = {{.seconds = 1.0}, {.seconds = infinity}}};
  SignatureTuner chosen = half_measured(2.0, 1.0);
  EXPECT_EQ(chosen.choice(), 0);
  EXPECT_EQ(run_to_review(chosen), 8U);
  review(chosen, again);
  EXPECT_EQ(run_to_review(chosen), 200U);
  SignatureTuner native = half_measured(2.0, 3.0);
  EXPECT_EQ(native.choice(), native_choice);
  EXPECT_EQ(run_to_review(native), 150U);
}

TEST(SignatureTuner, WhatDidNotRunOnceIsNotJudgedByItsError) {
  SignatureTuner tuner = decided(2.0, 1.0);
  run_to_review(tuner);
  review(tuner, measured(2.0, infinity, infinity));
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_EQ(run_to_review(tuner), 8U);
  review(tuner, measured(2.0, 1.0));
  EXPECT_EQ(tuner.choice(), 0);
  EXPECT_EQ(tuner.relative_error(0), 0.01);
}

}  // namespace
}  // namespace airamp::tuner
