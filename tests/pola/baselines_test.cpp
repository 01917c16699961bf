// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "apps/airamp/pola_baselines/autocorrelation.hpp"
#include "apps/airamp/pola_baselines/baseline.hpp"
#include "apps/airamp/pola_baselines/edit_distance.hpp"
#include "apps/airamp/pola_baselines/same_as_last.hpp"
#include "tests/pola/sequences.hpp"

namespace airamp::pola {
namespace {

struct Outcome {
  std::size_t predicted = 0;
  std::size_t right = 0;
};

/// Outcome of the last `judged` events.
Outcome judge(Baseline& baseline, const Sequence& sequence, std::size_t judged) {
  Outcome outcome;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    const auto expected = baseline.expected();
    if (i + judged >= sequence.size() && expected) {
      ++outcome.predicted;
      if (*expected == sequence[i]) ++outcome.right;
    }
    baseline.observe(sequence[i]);
  }
  return outcome;
}

TEST(Baselines, SameAsLast) {
  SameAsLast baseline;
  EXPECT_EQ(baseline.expected(), std::nullopt);
  const Outcome outcome = judge(baseline, repeated({1, 1, 1, 2}, 400), 100);
  EXPECT_EQ(outcome.predicted, 100U);
  EXPECT_EQ(outcome.right, 50U);
}

TEST(Baselines, AutocorrelationFindsPeriods) {
  for (const std::size_t period : {1U, 5U, 40U, 128U}) {
    std::mt19937_64 random(period);
    Autocorrelation baseline;
    const Outcome outcome = judge(baseline, repeated(random_pattern(period, 9, random), 800), 200);
    EXPECT_EQ(outcome.predicted, 200U) << period;
    EXPECT_EQ(outcome.right, 200U) << period;
  }
}

TEST(Baselines, AutocorrelationIsSilentOnRandomCalls) {
  std::mt19937_64 random(1);
  Autocorrelation baseline;
  EXPECT_EQ(judge(baseline, random_pattern(2000, 4, random), 1000).predicted, 0U);
}

TEST(Baselines, EditDistanceFindsPeriods) {
  for (const std::size_t period : {4U, 11U, 50U}) {
    std::mt19937_64 random(period);
    EditDistance baseline;
    const Outcome outcome = judge(baseline, repeated(random_pattern(period, 100, random), 400), 100);
    EXPECT_EQ(outcome.predicted, 100U) << period;
    EXPECT_EQ(outcome.right, 100U) << period;
  }
}

TEST(Baselines, EditDistanceKeepsItsPeriodOverOneOddCall) {
  EditDistance baseline;
  Sequence sequence = repeated({1, 2, 3, 4, 5}, 200);
  sequence[190] = 9;
  const Outcome outcome = judge(baseline, sequence, 10);
  EXPECT_EQ(outcome.predicted, 10U);
  EXPECT_EQ(outcome.right, 8U);  // wrong at the odd call, and one period later
}

TEST(Baselines, EditDistanceLosesItsPeriodWithThePattern) {
  std::mt19937_64 random(1);
  EditDistance baseline;
  Sequence sequence = repeated({1, 2, 3, 4, 5}, 200);
  const Sequence noise = random_pattern(200, 1000, random);
  sequence.insert(sequence.end(), noise.begin(), noise.end());
  EXPECT_LT(judge(baseline, sequence, 150).right, 5U);
}

}  // namespace
}  // namespace airamp::pola
