// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// Ranks that observe the same sequence must hold the same state, and say so when memory runs out.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <tuple>

#include "tests/pola/failing_allocator.hpp"
#include "tests/pola/sequences.hpp"

namespace airamp::pola {
namespace {

/// Regular, solver-like, random and regular again: locks, breaks and locks.
Sequence eventful(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Sequence sequence = repeated(random_pattern(17, 8, random), 300);
  const auto append = [&](const Sequence& more) { sequence.insert(sequence.end(), more.begin(), more.end()); };
  append(solver(600, 5, 9, random));
  append(random_pattern(500, 40, random));
  append(random_pattern(300, 5000, random));
  append(repeated(random_pattern(40, 30, random), 400));
  return sequence;
}

auto all_of(const Stream& stream) {
  const Stream::Counters& counters = stream.counters();
  return std::tuple(stream.state(), stream.period(), stream.expected(), stream.confidence(), stream.place(),
                    counters.events, counters.hits, counters.misses, counters.locks, counters.breaks, stream.recurs(1),
                    stream.recurs(10));
}

TEST(Determinism, SameSequenceSameStates) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Sequence sequence = eventful(seed);
    Stream first;
    std::vector<std::unique_ptr<char[]>> garbage;  // so that the second stream's memory lies elsewhere
    auto second = std::make_unique<Stream>();
    for (std::size_t i = 0; i < sequence.size(); ++i) {
      first.observe(sequence[i]);
      if (i % 7 == 0) garbage.push_back(std::make_unique<char[]>(i % 977 + 1));
      second->observe(sequence[i]);
      if (i % 100 == 99) second = std::make_unique<Stream>(std::move(*second));
      ASSERT_EQ(all_of(first), all_of(*second)) << "seed " << seed << ", event " << i;
    }
    EXPECT_GE(first.counters().locks, 2U);
    EXPECT_GE(first.counters().breaks, 1U);
  }
}

TEST(Determinism, EachAllocationMayFail) {
  const Sequence sequence = eventful(3);
  std::size_t failures = 0;
  for (std::size_t which = 0; which < 1000; ++which) {
    Stream stream;
    const FailingAllocation failing(which);
    for (std::size_t i = 0; i < sequence.size() && !stream.failed(); ++i) {
      const auto before = all_of(stream);
      if (stream.observe(sequence[i])) continue;
      ASSERT_EQ(all_of(stream), before);
      ++failures;
    }
    if (!stream.failed()) break;  // had no more allocations than that
    const auto frozen = all_of(stream);
    EXPECT_FALSE(stream.observe(1));
    EXPECT_EQ(all_of(stream), frozen);
  }
  EXPECT_GE(failures, 10U);
  EXPECT_LT(failures, 1000U);
}

TEST(Memory, StaysSmall) {
  EXPECT_LT(sizeof(Stream), 200U);
  const AllocationMeter meter;
  Stream stream;
  EXPECT_EQ(meter.bytes(), 0U);
  for (Signature signature = 0; signature < 10; ++signature) stream.observe(signature);
  EXPECT_LE(meter.bytes(), std::size_t{4} << 10);
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) stream.observe(random() % 5000);
  EXPECT_LE(meter.bytes(), std::size_t{64} << 10);
}

TEST(Stream, ManyKindsOfCallsAreNotPredicted) {
  Stream stream;
  for (Signature signature = 0; signature < 5000; ++signature) stream.observe(mix(signature + 1));
  EXPECT_EQ(stream.state(), Stream::State::learning);
  EXPECT_EQ(stream.expected(), std::nullopt);
  EXPECT_EQ(stream.period(), 0U);
}

TEST(Stream, StartsEmpty) {
  const Stream stream;
  EXPECT_EQ(stream.state(), Stream::State::learning);
  EXPECT_STREQ(name_of(stream.state()), "learning");
  EXPECT_EQ(stream.expected(), std::nullopt);
  EXPECT_EQ(stream.period(), 0U);
  EXPECT_EQ(stream.confidence(), 0.0);
  EXPECT_FALSE(stream.failed());
}

}  // namespace
}  // namespace airamp::pola
