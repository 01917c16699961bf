// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/short_steps.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace airamp::tuner {
namespace {

constexpr double least = 1e-6;
constexpr std::uint64_t steps_together = 8;

struct Program {
  ShortSteps steps{least};
  double now = 1;

  void run(int times, double step) {
    for (int i = 0; i < times; ++i) {
      now += step * steps_together;
      steps.end(steps_together, now);
    }
  }
};

TEST(ShortSteps, SayNothingAtFirst) {
  Program program;
  program.run(4, least / 2);
  EXPECT_FALSE(program.steps.are_short());
  program.run(1, least / 2);
  EXPECT_TRUE(program.steps.are_short());
}

TEST(ShortSteps, AreNotShortFromTheLeastOn) {
  Program program;
  program.run(100, 1.01 * least);
  EXPECT_FALSE(program.steps.are_short());
}

TEST(ShortSteps, AreNeverShorterThanWhatIsNotKnown) {
  Program program;
  program.steps = ShortSteps(0);
  program.run(100, 0);
  EXPECT_FALSE(program.steps.are_short());
}

TEST(ShortSteps, CountInTheMean) {
  Program program;
  for (int burst = 0; burst < 50; ++burst) {
    program.run(9, least / 10);
    program.run(1, 20 * least);
  }
  EXPECT_FALSE(program.steps.are_short());
}

TEST(ShortSteps, OfLongAgoDoNotCount) {
  Program program;
  program.run(10, 1000 * least);
  program.run(512 + 5, least / 2);
  EXPECT_TRUE(program.steps.are_short());
}

TEST(ShortSteps, BeginAnew) {
  Program program;
  program.run(100, least / 2);
  program.steps.begin();
  EXPECT_FALSE(program.steps.are_short());
  program.run(5, least / 2);
  EXPECT_TRUE(program.steps.are_short());
}

}  // namespace
}  // namespace airamp::tuner
