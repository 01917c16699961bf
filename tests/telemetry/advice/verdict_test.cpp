// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/advice/recommendations.hpp"
#include "tests/telemetry/advice/example_run.hpp"

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;
using Kind = VerdictKind;

Verdict verdict(const Report& report) {
  const RunFigures run = figures_of(report);
  return verdict_of(run, recommendations_of(run));
}

/// Most of a run in collectives that AIRamp has a way for.
Report busy(Reason reason) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 20, 30, reason);
  return report;
}

TEST(Verdict, OfLittleTime) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 512, 0.1, Reason::below_min_bytes);
  const Verdict little = verdict(report);
  EXPECT_EQ(little.kind, Kind::little_time);
  EXPECT_EQ(
      little.text,
      "0.1 % of the time was spent in collectives, all of them under 1 KiB: AIRamp cannot help here, leave it off.");
  for (Report::Rank& rank : report.rank_costs) rank.message_seconds = 31;
  EXPECT_THAT(verdict(report).text, HasSubstr("all of them under 1 KiB, and 31.0 % waiting for messages: AIRamp"));
  EXPECT_NE(verdict(busy(Reason::below_min_bytes)).kind, Kind::little_time);
}

TEST(Verdict, OfARunWithoutAIRamp) {
  Report report = busy(Reason::off);
  report.on = false;
  report.why_off = "disabled by the settings";
  EXPECT_EQ(verdict(report).kind, Kind::off);
  EXPECT_THAT(verdict(report).text, HasSubstr("(disabled by the settings)"));
}

TEST(Verdict, OfAFailure) {
  Report report = busy(Reason::too_slow);
  report.signatures.back().state = DecisionState::failed;
  report.signatures.back().path = "mpi-two-shot";
  EXPECT_EQ(verdict(report).kind, Kind::failed);
  EXPECT_THAT(verdict(report).text, HasSubstr("MPI_Allreduce over mpi-two-shot failed"));
}

TEST(Verdict, OfNoCollectives) {
  EXPECT_EQ(verdict(example_run()).kind, Kind::no_collectives);
  EXPECT_NE(verdict(busy(Reason::too_slow)).kind, Kind::no_collectives);
}

TEST(Verdict, OfASaving) {
  Report report = example_run();
  add_accelerated(report, "shared-memory", 0.2, 0.07);
  report.tuning_seconds = 1;
  EXPECT_EQ(verdict(report).kind, Kind::saved);
  EXPECT_EQ(verdict(report).text, "AIRamp saved an estimated 12.0 s, 12.0 % of the run.");  // 100 x 0.13 - 1
  report.tuning_seconds = 12.5;
  EXPECT_NE(verdict(report).kind, Kind::saved);
}

TEST(Verdict, OfMoreRanksThanProcessors) {
  Report report = busy(Reason::too_slow);
  report.hosts[0].processors = 1;
  EXPECT_EQ(verdict(report).kind, Kind::crowded);
  EXPECT_THAT(verdict(report).text, HasSubstr("2 ranks shared 1 processor of host a"));
  report.hosts[0].processors = 2;
  EXPECT_NE(verdict(report).kind, Kind::crowded);
}

TEST(Verdict, OfALoss) {
  Report report = busy(Reason::too_slow);
  add_accelerated(report, "shared-memory", 0.02, 0.04);
  EXPECT_EQ(verdict(report).kind, Kind::cost);
  EXPECT_THAT(verdict(report).text, HasSubstr("2.0 % of the run: the paths that it chose were slower"));
  report.signatures.back().airamp_median_seconds = 0.01;
  report.tuning_seconds = 3;
  EXPECT_THAT(verdict(report).text, HasSubstr("2.0 % of the run: it measured for longer than this run could repay"));
  report.tuning_seconds = 1.5;
  EXPECT_NE(verdict(report).kind, Kind::cost);
}

TEST(Verdict, OfARunWithoutTimes) {
  Report report = example_run();
  report.signatures.push_back({.function = "MPI_Bcast", .path = "native", .calls = 5});
  EXPECT_EQ(verdict(report).kind, Kind::not_timed);
}

TEST(Verdict, OfARunThatEndedTooEarly) {
  Report report = busy(Reason::measuring);
  EXPECT_EQ(verdict(report).kind, Kind::undecided);
  add_native(report, "MPI_Bcast", 64, 60, Reason::too_slow);
  EXPECT_NE(verdict(report).kind, Kind::undecided);
}

TEST(Verdict, OfWaitingForLateRanks) {
  Report report = busy(Reason::too_slow);
  report.rank_costs[3].collective_seconds = 1;
  EXPECT_EQ(verdict(report).kind, Kind::waiting);
  EXPECT_THAT(verdict(report).text, HasSubstr("rank 3 spent 1.0 % there"));
  report.rank_costs[3].collective_seconds = 25;
  EXPECT_NE(verdict(report).kind, Kind::waiting);
}

TEST(Verdict, OfASettingThatMayGain) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 24, 47, Reason::type_not_in_lossy_types).element = "float32";
  EXPECT_EQ(verdict(report).kind, Kind::setting);
  EXPECT_THAT(verdict(report).text,
              HasSubstr("47.0 % of the time was spent in MPI_Allreduce of large FP32 vectors, in a "
                        "job on several hosts: try AIRAMP_ENABLE_FP8_ALLREDUCE=true "));
  report.hosts.pop_back();
  EXPECT_NE(verdict(report).kind, Kind::setting);
}

TEST(Verdict, OfANativeWayThatIsAsFast) {
  EXPECT_EQ(verdict(busy(Reason::too_slow)).kind, Kind::native_as_fast);
  EXPECT_NE(verdict(busy(Reason::in_place)).kind, Kind::native_as_fast);
}

TEST(Verdict, OfCallsThatAIRampDoesNotCarry) {
  const Verdict of_native = verdict(busy(Reason::user_operation_on_type));
  EXPECT_EQ(of_native.kind, Kind::not_carried);
  EXPECT_THAT(of_native.text, HasSubstr("a user-defined operation on this type"));
}

TEST(Verdict, OfARunThatHardlyChanged) {
  Report report = busy(Reason::in_place);
  report.traffic.back().path = "shared-memory";
  report.signatures.back().accelerated_calls = 80;
  EXPECT_EQ(verdict(report).kind, Kind::even);
  EXPECT_THAT(verdict(report).text, HasSubstr("carried 80 of 100 calls"));
  report.signatures.back().accelerated_calls = 0;
  EXPECT_EQ(verdict(report).kind, Kind::not_carried);
}

}  // namespace
}  // namespace airamp::telemetry
