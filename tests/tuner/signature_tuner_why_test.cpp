// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// What a tuner says of its choice, for people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tuner/looks.hpp"

namespace airamp::tuner {
namespace {

using testing::HasSubstr;

// Not by the best times of all, which a candidate may have had by chance: 1.36x would not be less than 1.05x.
TEST(SignatureTunerWhy, SaysByWhatNativeWasLastFoundBetter) {
  SignatureTuner tuner = decided(1.0, 1.0);
  EXPECT_EQ(to_text(tuner.why()), "only 1.00x native, less than 1.05x");
  run_to_review(tuner);
  review(tuner, measured(1.36, 1.0));
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(to_text(tuner.why()), "only 1.00x native, less than 1.05x");  // a doubt
  run_to_review(tuner);
  review(tuner, measured(1.0, 0.96));
  EXPECT_EQ(to_text(tuner.why()), "only 1.04x native, less than 1.10x");
  run_to_review(tuner);
  review(tuner, measured(1.0, infinity));
  EXPECT_EQ(to_text(tuner.why()), "only 1.04x native, less than 1.10x");  // which says nothing new
}

TEST(SignatureTunerWhy, SaysByWhatACandidateWasLeft) {
  SignatureTuner tuner = decided(2.0, 1.0);
  for (int look = 0; look < 2; ++look) {
    EXPECT_EQ(tuner.choice(), 0);
    run_to_review(tuner);
    review(tuner, measured(2.0, 2.5));
  }
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(to_text(tuner.why()), "only 0.80x native, less than 1.00x");
}

TEST(SignatureTunerWhy, WhatNeverRunsIsLeftAloneAndSaysWhy) {
  const SignatureTuner tuner = decided(2.0, infinity, infinity);
  EXPECT_EQ(tuner.choice(), native_choice);
  EXPECT_EQ(tuner.why().reason, Reason::not_measurable);
  EXPECT_THAT(to_text(tuner.why()), HasSubstr("memory"));
}

}  // namespace
}  // namespace airamp::tuner
