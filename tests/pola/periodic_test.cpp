// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Sequences that repeat exactly.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/pola/sequences.hpp"

namespace airamp::pola {
namespace {

/// Smallest period of an endless repetition of the pattern, by trying all.
std::size_t smallest_period(const Sequence& pattern) {
  for (std::size_t period = 1; period < pattern.size(); ++period) {
    if (pattern.size() % period != 0) continue;
    bool repeats = true;
    for (std::size_t i = 0; i < pattern.size(); ++i) repeats &= pattern[i] == pattern[(i + period) % pattern.size()];
    if (repeats) return period;
  }
  return pattern.size();
}

TEST(Periodic, LocksWithinThreePeriods) {
  for (std::size_t period = 2; period <= 200; ++period) {
    for (const std::size_t alphabet : {4U, 20U, 1000U}) {
      std::mt19937_64 random(period * 1000 + alphabet);
      const Sequence pattern = random_pattern(period, alphabet, random);
      if (smallest_period(pattern) == 1) continue;
      Stream stream;
      const std::size_t lock = first_lock(stream, repeated(pattern, 4 * period + 200));
      EXPECT_NE(lock, 0U);
      // Two kinds of calls say one bit each, so that short patterns of few kinds take a little longer.
      EXPECT_LE(lock, std::max<std::size_t>(3 * period, 60)) << "period " << period << ", alphabet " << alphabet;
    }
  }
}

TEST(Periodic, IsRightFromThenOnAndKnowsThePeriod) {
  for (const std::size_t period : {2U, 3U, 7U, 12U, 36U, 100U, 199U, 500U, 1000U}) {
    std::mt19937_64 random(period);
    const Sequence pattern = random_pattern(period, 6, random);
    Stream stream;
    observe_all(stream, repeated(pattern, 6 * period + 200));
    ASSERT_EQ(stream.state(), Stream::State::locked) << period;
    EXPECT_EQ(stream.period(), smallest_period(pattern));
    EXPECT_GE(accuracy(stream), 0.99) << period;
    const Stream::Counters before = stream.counters();
    for (std::size_t i = 0; i < 2 * period; ++i) {
      const Signature next = pattern[(6 * period + 200 + i) % period];
      EXPECT_EQ(stream.expected(), next);
      stream.observe(next);
    }
    EXPECT_EQ(stream.counters().misses, before.misses);
    EXPECT_EQ(stream.counters().hits, before.hits + 2 * period);
    EXPECT_GT(stream.confidence(), 0.99);
  }
}

TEST(Periodic, ConstantSequencesLockAfterFourTimesTheLockEvents) {
  for (const std::size_t lock_events : {20U, 32U, 50U}) {
    Stream stream({.lock_events = lock_events});
    const std::size_t lock = first_lock(stream, Sequence(1000, 5));
    EXPECT_GE(lock, 4 * lock_events);
    EXPECT_LE(lock, 4 * lock_events + 4);
    EXPECT_EQ(stream.period(), 1U);
    EXPECT_EQ(stream.expected(), Signature{5});
  }
}

TEST(Periodic, NeverLocksBeforeTheLockEvents) {
  for (const std::size_t lock_events : {20U, 32U, 50U}) {
    Stream stream({.lock_events = lock_events});
    const std::size_t lock = first_lock(stream, repeated({1, 2, 3, 4}, 200));
    EXPECT_GE(lock, lock_events);
    EXPECT_LE(lock, lock_events + 20);
  }
}

TEST(Periodic, OneOddCallDoesNotBreakALock) {
  Stream stream;
  observe_all(stream, repeated({1, 2, 3, 4, 5, 6, 7}, 700));
  stream.observe(99);
  EXPECT_EQ(stream.state(), Stream::State::locked);
  EXPECT_EQ(stream.counters().misses, 1U);
  EXPECT_EQ(stream.period(), 0U);
  observe_all(stream, repeated({1, 2, 3, 4, 5, 6, 7}, 70));
  EXPECT_EQ(stream.state(), Stream::State::locked);
  EXPECT_EQ(stream.period(), 7U);
  EXPECT_LE(stream.counters().misses, 3U);
}

TEST(Periodic, AChangeOfPhaseBreaksAndLocksAgain) {
  Stream stream;
  observe_all(stream, repeated({1, 2, 3, 4, 5, 6, 7}, 700));
  ASSERT_EQ(stream.state(), Stream::State::locked);
  const Sequence second = repeated({11, 12, 13, 14, 15, 11, 12, 16, 17}, 900);
  std::size_t broken = 0;
  std::size_t locked = 0;
  for (std::size_t i = 0; i < second.size(); ++i) {
    stream.observe(second[i]);
    if (broken == 0 && stream.state() == Stream::State::broken) broken = i + 1;
    if (broken != 0 && locked == 0 && stream.state() == Stream::State::locked) locked = i + 1;
  }
  EXPECT_GT(broken, 0U);
  EXPECT_LE(broken, 9U);
  EXPECT_GT(locked, broken);
  EXPECT_LE(locked, 64U);
  EXPECT_EQ(stream.counters().locks, 2U);
  EXPECT_EQ(stream.counters().breaks, 1U);
  EXPECT_EQ(stream.period(), 9U);

  // The first phase is not forgotten.
  const std::size_t back = first_lock(stream, repeated({1, 2, 3, 4, 5, 6, 7}, 10));
  EXPECT_EQ(back, 1U);
  observe_all(stream, repeated({4, 5, 6, 7, 1, 2, 3}, 100));
  EXPECT_EQ(stream.state(), Stream::State::locked);
}

}  // namespace
}  // namespace airamp::pola
