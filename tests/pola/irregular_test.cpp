// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Sequences of real codes do not repeat exactly; random ones must not be taken for them.
#include <gtest/gtest.h>

#include <functional>

#include "tests/pola/sequences.hpp"

namespace airamp::pola {
namespace {

/// Number of seeds whose sequence of `events` draws locks at any time.
std::size_t locks_of(std::size_t seeds, std::size_t events, const std::function<Signature(std::mt19937_64&)>& draw) {
  std::size_t locked = 0;
  for (std::size_t seed = 1; seed <= seeds; ++seed) {
    std::mt19937_64 random(seed);
    Stream stream;
    for (std::size_t i = 0; i < events; ++i) stream.observe(draw(random));
    if (stream.counters().locks > 0) ++locked;
  }
  return locked;
}

TEST(Random, EqualChancesNeverLock) {
  for (const std::size_t alphabet : {2U, 3U, 4U, 8U, 16U, 32U, 64U}) {
    EXPECT_EQ(locks_of(1000, 500, [&](auto& random) { return random() % alphabet; }), 0U) << alphabet;
  }
}

TEST(Random, SkewedCoinsNeverLock) {
  for (const double chance : {0.6, 0.8, 0.9}) {
    EXPECT_EQ(locks_of(1000, 500, [&](auto& random) { return uniform(random) < chance ? 1U : 2U; }), 0U) << chance;
  }
}

TEST(Random, ManySkewedKindsNeverLock) {
  const auto geometric = [](auto& random) {
    Signature signature = 1;
    while (signature < 40 && random() % 2 == 0) ++signature;
    return signature;
  };
  EXPECT_EQ(locks_of(1000, 500, geometric), 0U);
}

TEST(Irregular, NestedStepsArePeriodic) {
  Stream stream;
  const Sequence sequence = nested_steps(5000);
  EXPECT_LE(first_lock(stream, sequence), 100U);
  Stream whole;
  observe_all(whole, sequence);
  EXPECT_GE(accuracy(whole), 0.99);
  // 100 steps: 200 calls, 5 times 3, 10 times 3 and 5.
  EXPECT_EQ(whole.period(), 250U);
  EXPECT_EQ(whole.counters().breaks, 0U);
}

TEST(Irregular, SolversWithVaryingIterations) {
  std::mt19937_64 random(1);
  for (const auto& [fewest, most] : {std::pair{8U, 12U}, {20U, 40U}, {50U, 90U}}) {
    Stream stream;
    observe_all(stream, solver(10000, fewest, most, random));
    EXPECT_EQ(stream.state(), Stream::State::locked);
    EXPECT_LE(stream.counters().breaks, 1U);
    // Where a step ends cannot be known: one or two misses in each.
    const double calls_per_step = 3.0 * (fewest + most) / 2 + 3;
    EXPECT_GE(accuracy(stream), 1.0 - 1.5 / calls_per_step) << fewest;
  }
}

TEST(Irregular, RecursNamesThePattern) {
  std::mt19937_64 random(1);
  Stream stream;
  EXPECT_FALSE(stream.recurs(10));
  stream.observe(77);
  const Sequence sequence = solver(2000, 8, 12, random);
  observe_all(stream, sequence);
  ASSERT_EQ(stream.state(), Stream::State::locked);
  for (const Signature signature : {1U, 2U, 3U, 10U, 11U}) EXPECT_TRUE(stream.recurs(signature)) << signature;
  EXPECT_FALSE(stream.recurs(77));  // long ago, once
  EXPECT_FALSE(stream.recurs(78));  // never
}

TEST(Irregular, RecursKnowsRareCallsOfLongPeriods) {
  Sequence pattern(700, 1);
  for (std::size_t i = 0; i < pattern.size(); ++i) pattern[i] = i % 5;
  pattern[3] = 99;
  Stream stream;
  observe_all(stream, repeated(pattern, 2100));
  ASSERT_EQ(stream.state(), Stream::State::locked);
  ASSERT_EQ(stream.period(), 700U);
  EXPECT_TRUE(stream.recurs(99));
}

}  // namespace
}  // namespace airamp::pola
