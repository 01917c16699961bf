// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/call_counters.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace airamp::telemetry {
namespace {

class CallCountersOf : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Threads, CallCountersOf, testing::Bool(),
                         [](const auto& threads) { return threads.param ? "Several" : "One"; });

TEST_P(CallCountersOf, CountsCallsAndBytesPerFunctionAndBucket) {
  const auto counters = std::make_unique<CallCounters<2>>();
  counters->count(0, 8, GetParam());
  counters->count(0, 15, GetParam());
  counters->count(0, 16, GetParam());
  counters->count(1, 0, GetParam());
  EXPECT_EQ(counters->calls(0), 3U);
  EXPECT_EQ(counters->calls(1), 1U);
  EXPECT_EQ(counters->cell(0, size_bucket(8)).calls.load(), 2U);
  EXPECT_EQ(counters->cell(0, size_bucket(8)).bytes.load(), 23U);
  EXPECT_EQ(counters->cell(0, size_bucket(16)).bytes.load(), 16U);
}

TEST(CallCounters, LosesNothingBetweenThreads) {
  const auto counters = std::make_unique<CallCounters<1>>();
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int call = 0; call < 10000; ++call) counters->count(0, 4, true);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counters->calls(0), 40000U);
  EXPECT_EQ(counters->cell(0, size_bucket(4)).bytes.load(), 160000U);
}

}  // namespace
}  // namespace airamp::telemetry
