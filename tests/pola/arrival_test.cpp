// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pola/arrival.hpp"

#include <gtest/gtest.h>

#include <random>

namespace airamp::pola {
namespace {

/// Lets a rank compute, then call. Places are the caller's numbers.
class Rank {
 public:
  /// Computes for so long, then calls for 500 ns; the place is that after the call.
  void call(std::int64_t computing_ns, std::uint64_t place) {
    entered_ns_ = left_ns_ + computing_ns;
    left_ns_ = entered_ns_ + 500;
    EXPECT_TRUE(forecast.observe(place, entered_ns_, left_ns_));
  }

  /// How long the rank is expected to compute before its next call.
  std::int64_t expected_computing_ns() const { return forecast.expected_ns().value() - left_ns_; }

  ArrivalForecast forecast;

 private:
  std::int64_t entered_ns_ = 0;
  std::int64_t left_ns_ = 0;
};

TEST(ArrivalForecast, KnowsNothingAtFirst) {
  Rank rank;
  EXPECT_EQ(rank.forecast.expected_ns(), std::nullopt);
  rank.call(1000, 1);
  EXPECT_EQ(rank.forecast.expected_ns(), std::nullopt);
  EXPECT_EQ(rank.forecast.lateness_ns(), std::nullopt);
}

TEST(ArrivalForecast, LearnsTheTimeAfterEachPlace) {
  Rank rank;
  for (int step = 0; step < 10; ++step) {
    rank.call(100'000, 1);
    rank.call(20'000, 2);
    rank.call(3'000, 3);
  }
  EXPECT_EQ(rank.expected_computing_ns(), 100'000);
  rank.call(100'000, 1);
  EXPECT_EQ(rank.forecast.lateness_ns(), 0);
  EXPECT_EQ(rank.expected_computing_ns(), 20'000);
  rank.call(25'000, 2);
  EXPECT_EQ(rank.forecast.lateness_ns(), 5'000);
  rank.call(2'000, 3);
  EXPECT_EQ(rank.forecast.lateness_ns(), -1'000);
}

TEST(ArrivalForecast, AnOutlierHardlyMovesIt) {
  std::mt19937_64 random(1);
  Rank rank;
  for (int step = 0; step < 100; ++step) rank.call(100'000 + static_cast<std::int64_t>(random() % 1000), 1);
  rank.call(50'000'000, 1);  // wrote a file
  EXPECT_LT(rank.expected_computing_ns(), 102'000);
  EXPECT_GT(rank.expected_computing_ns(), 100'000);
}

TEST(ArrivalForecast, FollowsALastingChange) {
  Rank rank;
  for (int step = 0; step < 100; ++step) rank.call(100'000, 1);
  for (int step = 0; step < 100; ++step) rank.call(300'000, 1);
  EXPECT_NEAR(static_cast<double>(rank.expected_computing_ns()), 300'000, 15'000);
}

}  // namespace
}  // namespace airamp::pola
