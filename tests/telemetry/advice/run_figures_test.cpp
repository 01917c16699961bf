// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/run_figures.hpp"

#include <gtest/gtest.h>

#include "tests/telemetry/advice/example_run.hpp"

namespace airamp::telemetry {
namespace {

TEST(RunFigures, TakesTheMeanOfTheRanks) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 1024, 10, Reason::no_gpus);
  report.rank_costs[3].collective_seconds = 2;
  const RunFigures run = figures_of(report);
  EXPECT_DOUBLE_EQ(run.collective_share, (3 * 10 + 2) / 4.0 / 100);
  EXPECT_DOUBLE_EQ(run.least_share, 0.02);
  EXPECT_EQ(run.least_rank, 3U);
  EXPECT_EQ(run.collective_calls, 100U);
  EXPECT_EQ(run.size_limit, 2048U);
}

TEST(RunFigures, TakesRankZerosTimeWhereNothingIsKnownOfTheOthers) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 1024, 10, Reason::no_gpus);
  report.rank_costs.clear();
  const RunFigures run = figures_of(report);
  EXPECT_DOUBLE_EQ(run.collective_share, 0.1);
  EXPECT_TRUE(std::isnan(run.least_share));
  EXPECT_FALSE(run.mostly_waiting());
}

TEST(RunFigures, KnowNoTimesWithoutTelemetry) {
  Report report = example_run();
  report.signatures.push_back({.function = "MPI_Bcast", .path = "native", .calls = 5});
  const RunFigures run = figures_of(report);
  EXPECT_TRUE(std::isnan(run.collective_share));
  EXPECT_FALSE(run.little_time());
  EXPECT_TRUE(std::isnan(run.net_share));
}

TEST(RunFigures, ShareOutTheTimeOfAFunctionAndSizeByCalls) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1024, 8, Reason::unknown_type);
  report.traffic.back().function = "MPI_Allreduce_c";  // the same collective
  Report::Signature other = report.signatures.back();
  other.calls = 400;
  other.accelerated_calls = 100;
  report.signatures.push_back(other);
  const RunFigures run = figures_of(report);
  ASSERT_EQ(run.kinds.size(), 2U);
  EXPECT_DOUBLE_EQ(run.kinds[0].native_seconds, 2);  // 100 of 400 native calls
  EXPECT_DOUBLE_EQ(run.kinds[1].native_seconds, 6);
}

TEST(RunFigures, CountRealAndEmulatedHosts) {
  Report report = example_run();
  EXPECT_EQ(figures_of(report).hosts, 2);
  EXPECT_EQ(figures_of(report).ranks_on_host, 2);
  report.settings["ranks_per_host"] = "1";
  EXPECT_EQ(figures_of(report).hosts, 4);
  EXPECT_EQ(figures_of(report).ranks_on_host, 1);
}

TEST(RunFigures, KnowTheMostCrowdedHost) {
  Report report = example_run();
  EXPECT_EQ(figures_of(report).crowded_host(), nullptr);
  report.hosts[0].ranks = 9;
  report.hosts[1].ranks = 24;
  EXPECT_EQ(figures_of(report).crowded_host(), &report.hosts[1]);
  report.hosts[1].processors = 0;  // not known
  EXPECT_EQ(figures_of(report).crowded_host(), report.hosts.data());
}

TEST(RunFigures, SayWhenMostOfTheTimeIsWaiting) {
  Report report = example_run();
  add_native(report, "MPI_Barrier", 0, 40, Reason::no_gpus);
  EXPECT_FALSE(figures_of(report).mostly_waiting());
  report.rank_costs[2].collective_seconds = 1;
  EXPECT_TRUE(figures_of(report).mostly_waiting());
}

}  // namespace
}  // namespace airamp::telemetry
