// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/advice.hpp"

#include <gtest/gtest.h>

#include "tests/telemetry/advice/example_run.hpp"

namespace airamp::telemetry {
namespace {

TEST(Advice, NamesAreThoseOfTheEnumerators) {
  EXPECT_EQ(name_of(VerdictKind::none), "");
  EXPECT_EQ(name_of(VerdictKind::little_time), "little_time");
  EXPECT_EQ(name_of(VerdictKind::even), "even");
  EXPECT_EQ(name_of(RecommendationKind::leave_off), "leave_off");
  EXPECT_EQ(name_of(RecommendationKind::any_order), "any_order");
  EXPECT_EQ(name_of(RecommendationKind::fewer_ranks), "fewer_ranks");
  EXPECT_EQ(name_of(FindingKind::close_calls), "close_calls");
}

TEST(Advice, IsMadeOfAllThree) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 8, 1, Reason::below_min_bytes);
  report.rank_costs[1].lateness_seconds = 50;
  const Advice advice = advise(report);
  EXPECT_EQ(advice.verdict.kind, VerdictKind::little_time);
  ASSERT_EQ(advice.recommendations.size(), 1U);
  EXPECT_EQ(advice.recommendations[0].kind, RecommendationKind::leave_off);
  ASSERT_EQ(advice.findings.size(), 1U);
  EXPECT_EQ(advice.findings[0].kind, FindingKind::late_rank);
}

TEST(Advice, SetsByTheNamesOfVariables) {
  Recommendation advice;
  advice.set({{"min_bytes", "64K"}, {"enable_fp8_allreduce", "true"}});
  EXPECT_EQ(advice.action, "AIRAMP_MIN_BYTES=64K AIRAMP_ENABLE_FP8_ALLREDUCE=true");
}

}  // namespace
}  // namespace airamp::telemetry
