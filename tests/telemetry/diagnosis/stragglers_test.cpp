// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/stragglers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace airamp::telemetry {
namespace {

using testing::SizeIs;

std::vector<RankSnapshot> ranks_with_waits(const std::vector<std::pair<double, double>>& waits) {
  std::vector<RankSnapshot> ranks;
  for (const auto& [lateness, waiting] : waits) {
    RankSnapshot rank{.rank = static_cast<int>(ranks.size()), .size = static_cast<int>(waits.size())};
    rank.communicators.push_back({.key = 1, .lateness_seconds = lateness / 2, .waiting_seconds = waiting / 2});
    rank.communicators.push_back({.key = 2, .lateness_seconds = lateness / 2, .waiting_seconds = waiting / 2});
    ranks.push_back(rank);
  }
  return ranks;
}

TEST(Stragglers, AreThoseWhoAreLate) {
  const Stragglers stragglers = find_stragglers(ranks_with_waits({{0.5, 3}, {4, 0.25}, {1, 2}}));
  ASSERT_THAT(stragglers.ranks, SizeIs(3));
  EXPECT_EQ(stragglers.ranks[0].index, 1U);
  EXPECT_EQ(stragglers.ranks[0].cost_seconds, 4);
  EXPECT_EQ(stragglers.ranks[0].waiting_seconds, 0.25);
  EXPECT_EQ(stragglers.ranks[1].index, 2U);
  EXPECT_EQ(stragglers.median_waiting_seconds, 2);
}

TEST(Stragglers, AreThoseWhoWaitLeastWhereLatenessIsNotKnown) {
  const Stragglers stragglers = find_stragglers(ranks_with_waits({{0, 3}, {0, 2.5}, {0, 0.5}}));
  EXPECT_EQ(stragglers.ranks[0].index, 2U);
  EXPECT_EQ(stragglers.ranks[0].cost_seconds, 2);
  EXPECT_EQ(stragglers.ranks[1].cost_seconds, 0);
}

TEST(Stragglers, AreMeasuredOnTheCallsThatTookMostTime) {
  std::vector<RankSnapshot> ranks = ranks_with_waits({{0, 0}, {0, 0}});
  RankSnapshot::Traffic small{.function = "MPI_Bcast", .size = 8, .calls = 1000, .seconds = 0.1};
  small.histogram[0] = 1000;
  RankSnapshot::Traffic large{.function = "MPI_Allreduce", .size = 1024, .calls = 100, .seconds = 2};
  large.histogram[4] = 98;
  large.histogram[6] = 1;
  large.histogram[9] = 1;
  ranks[0].traffic = {small, large};
  const Stragglers stragglers = find_stragglers(ranks);
  EXPECT_EQ(stragglers.function, "MPI_Allreduce");
  EXPECT_EQ(stragglers.size, 1024U);
  EXPECT_EQ(stragglers.ranks[0].median, latency_bound(4));
  EXPECT_EQ(stragglers.ranks[0].p99, latency_bound(6));
  EXPECT_EQ(stragglers.ranks[0].p999, latency_bound(9));
  EXPECT_TRUE(std::isnan(stragglers.ranks[1].median));
}

TEST(Stragglers, OfNoRanksAreNone) { EXPECT_THAT(find_stragglers({}).ranks, SizeIs(0)); }

}  // namespace
}  // namespace airamp::telemetry
