// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/sampled_times.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace airamp::telemetry {
namespace {

constexpr std::uint64_t reading = 40;

/// A program's calls, by a clock that stands still between them.
class Program {
 public:
  void call(std::size_t function, std::uint64_t duration, std::uint64_t computing = 0) {
    now_ += computing;
    const std::uint64_t entered = now_;
    now_ += duration;
    true_sums_[function] += duration;
    if (times_->passes(function)) return;
    now_ += reading;
    ++timed_;
    sums_[function] += times_->add(function, entered, now_ - reading, reading);
  }

  std::uint64_t sum(std::size_t function) const { return sums_[function]; }
  double right(std::size_t function) const {
    return static_cast<double>(sums_[function]) / static_cast<double>(true_sums_[function]);
  }
  std::uint64_t timed() const { return timed_; }
  std::uint64_t passed() const { return now_ - start; }

 private:
  static constexpr std::uint64_t start = 1'000'000;
  std::unique_ptr<SampledTimes<2>> times_ = std::make_unique<SampledTimes<2>>();
  std::uint64_t now_ = start;
  std::uint64_t timed_ = 0;
  std::array<std::uint64_t, 2> sums_{};
  std::array<std::uint64_t, 2> true_sums_{};
};

TEST(SampledTimes, TimesEachCallWhereTheyAreFarApart) {
  Program program;
  constexpr std::uint64_t apart = reading * SampledTimes<2>::readings_apart + 1;
  for (std::uint64_t i = 0; i < 1000; ++i) program.call(0, 100 + i % 7, apart);
  EXPECT_EQ(program.timed(), 1000U);
  EXPECT_DOUBLE_EQ(program.right(0), 1);
}

TEST(SampledTimes, TakesLittleOfTheTimeOfShortCalls) {
  Program program;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) program.call(0, 100 + i % 101);
  EXPECT_LT(program.timed() * reading * SampledTimes<2>::readings_apart, program.passed() * 5 / 4);
  EXPECT_NEAR(program.right(0), 1, 0.02);
}

TEST(SampledTimes, DoesNotTimeTheSameCallOfALoop) {
  for (const std::uint64_t length : {2, 8, 16, 32, 64}) {
    Program program;
    for (std::uint64_t i = 0; i < 1'000'000; ++i) program.call(0, i % length == 0 ? 2000 : 50);
    EXPECT_NEAR(program.right(0), 1, 0.1) << length;
  }
}

TEST(SampledTimes, IsRightInTheMeanOfRareLongWaits) {
  Program program;
  for (std::uint64_t i = 0; i < 3'000'000; ++i) program.call(0, i % 1000 == 0 ? 1'000'000 : 100, 20);
  EXPECT_NEAR(program.right(0), 1, 0.1);
}

TEST(SampledTimes, IsNeverMoreThanHasPassed) {
  Program program;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    program.call(i % 2, i % 997 == 0 ? 10'000'000 : 10);
    ASSERT_LE(program.sum(0) + program.sum(1), program.passed()) << i;
  }
}

TEST(SampledTimes, KeepsFunctionsApart) {
  Program program;
  for (std::uint64_t i = 0; i < 1'000'000; ++i) {
    program.call(0, 100);
    if (i % 1000 == 999) program.call(1, 50'000);
  }
  EXPECT_NEAR(program.right(0), 1, 0.02);
  EXPECT_DOUBLE_EQ(program.right(1), 1);
}

TEST(SampledTimes, CountsNothingForCallsThatPassBeforeTheFirstTimedOne) {
  SampledTimes<1> times;
  times.pass_most(0);
  for (std::uint64_t i = 0; i < SampledTimes<1>::most_untimed; ++i) ASSERT_TRUE(times.passes(0));
  ASSERT_FALSE(times.passes(0));
  EXPECT_EQ(times.add(0, 1000, 1005, reading), 5U);
}

TEST(SampledTimes, BearsAClockThatGoesBackBetweenProcessors) {
  SampledTimes<1> times;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::uint64_t entered = 1'000'000 + 10 * i - (i % 2) * 15;
    if (!times.passes(0)) sum += times.add(0, entered, entered + 5, 4);
    ASSERT_LE(sum, 10 * (i + 1));
  }
  EXPECT_GT(sum, 0U);
}

}  // namespace
}  // namespace airamp::telemetry
