// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/findings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/telemetry/advice/example_run.hpp"

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;

TEST(Findings, NameTheRankThatABarrierWaitsFor) {
  Report report = example_run();
  add_native(report, "MPI_Barrier", 0, 42, Reason::no_gpus);
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
  report.rank_costs[3].functions["MPI_Barrier"].seconds = 2;
  const auto findings = findings_of(figures_of(report));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingKind::waits_for_rank);
  EXPECT_DOUBLE_EQ(findings[0].share, 0.4);
  EXPECT_THAT(findings[0].text, HasSubstr("MPI_Barrier waits for rank 3, for 40.0 % of the run: in 100 calls"));
}

TEST(Findings, NameNoRankThatCallsLessOften) {
  Report report = example_run();
  add_native(report, "MPI_Barrier", 0, 42, Reason::no_gpus);
  report.rank_costs[3].functions["MPI_Barrier"] = {.calls = 50, .seconds = 2};
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

TEST(Findings, NameNoRootOfBroadcasts) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 42, Reason::no_gpus);
  report.rank_costs[0].functions["MPI_Bcast"].seconds = 2;  // it waits for nobody
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

TEST(Findings, NameTheLateRank) {
  Report report = example_run();
  report.rank_costs = {{.host = "a", .lateness_seconds = 1},
                       {.host = "a", .lateness_seconds = 0},
                       {.host = "b", .lateness_seconds = 8},
                       {.host = "b", .lateness_seconds = 1}};
  const auto findings = findings_of(figures_of(report));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingKind::late_rank);
  EXPECT_THAT(findings[0].text,
              HasSubstr("rank 2 on host b came late to its calls, by 8.00 s in all, 8.0 % of the run; "
                        "that is 80.0 % of all ranks' lateness"));
  report.rank_costs[0].lateness_seconds = 9;  // two of them
  report.rank_costs[1].lateness_seconds = 9;
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

TEST(Findings, CountCallsThatCouldTravelTogether) {
  Report report = example_run();
  report.close_calls = {{.communicator = "MPI_COMM_WORLD", .groups = 100, .calls = 700, .seconds = 6}};
  const auto findings = findings_of(figures_of(report));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingKind::close_calls);
  EXPECT_THAT(findings[0].text,
              HasSubstr("7.0 small MPI_Allreduces came one right after the other on MPI_COMM_WORLD, 100 "
                        "times: as one vector each time they would save at most 6.0 % of the run"));
  report.close_calls[0].seconds = 0.5;
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

TEST(Findings, SayWhereMessagesAreWaitedFor) {
  Report report = example_run();
  report.messages = {{.function = "MPI_Recv", .calls = {.calls = 9, .seconds = 5}},
                     {.function = "MPI_Waitall", .calls = {.calls = 300, .seconds = 25}}};
  report.rank_costs.assign(4, {.message_seconds = 30});
  const auto findings = findings_of(figures_of(report));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingKind::messages);
  EXPECT_THAT(findings[0].text, HasSubstr("30.0 % of the ranks' time"));
  EXPECT_THAT(findings[0].text, HasSubstr("most of it in MPI_Waitall: 25.0 s in 300 calls"));
  report.rank_costs.assign(4, {.message_seconds = 1});
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
  report.rank_costs.assign(4, {.message_seconds = std::nan("")});
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

TEST(Findings, StartWithWhatTookMost) {
  Report report = example_run();
  add_native(report, "MPI_Barrier", 0, 10, Reason::no_gpus);
  add_native(report, "MPI_Allreduce", 8, 30, Reason::no_gpus);
  report.rank_costs[1].functions["MPI_Barrier"].seconds = 0;
  report.rank_costs[1].functions["MPI_Allreduce"].seconds = 0;
  const auto findings = findings_of(figures_of(report));
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].text, HasSubstr("MPI_Allreduce waits for rank 1"));
  EXPECT_THAT(findings[1].text, HasSubstr("MPI_Barrier waits for rank 1"));
}

TEST(Findings, SayNothingOfARunWithoutATime) {
  Report report = example_run();
  report.run_seconds = 0;
  report.close_calls = {{.groups = 1, .calls = 2, .seconds = 1}};
  EXPECT_TRUE(findings_of(figures_of(report)).empty());
}

}  // namespace
}  // namespace airamp::telemetry
