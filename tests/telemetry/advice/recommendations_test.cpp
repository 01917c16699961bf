// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/recommendations.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "config/load.hpp"
#include "tests/telemetry/advice/example_run.hpp"

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;
using Kind = RecommendationKind;
using Settings = std::vector<std::pair<std::string, std::string>>;

/// That recommendation, if it is given. What it sets must be settings, with values that they take.
std::optional<Recommendation> find(const Report& report, Kind kind) {
  std::optional<Recommendation> found;
  for (const Recommendation& advice : recommendations_of(figures_of(report))) {
    for (const auto& [key, value] : advice.settings) EXPECT_EQ(config::check_value(key, value), "");
    EXPECT_NE(advice.action, "");
    EXPECT_NE(advice.why, "");
    EXPECT_NE(advice.effect, "");
    if (advice.kind == kind) found = advice;
  }
  return found;
}

/// A run with so much time in large vectors of FP16 that nobody opted in for.
Report uncompressed(double seconds) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 24, seconds, Reason::compression_off).element = "float16";
  return report;
}

TEST(Recommendations, NoneForARunWithNothingToChange) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 20, 30, Reason::too_slow);
  EXPECT_TRUE(recommendations_of(figures_of(report)).empty());
}

TEST(Recommendations, CompressAllreducesBetweenHosts) {
  const auto advice = find(uncompressed(40), Kind::compress_allreduce);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->settings, (Settings{{"enable_fp8_allreduce", "true"}}));
  EXPECT_EQ(advice->action, "AIRAMP_ENABLE_FP8_ALLREDUCE=true");
  EXPECT_DOUBLE_EQ(advice->share, 0.4);
  EXPECT_THAT(advice->why, HasSubstr("40.0 % of the time was spent in MPI_Allreduce"));
  EXPECT_THAT(advice->effect, HasSubstr("at most 19.4 % of the run"));  // 40 % less 40 % / 1.94
  EXPECT_THAT(advice->cost, HasSubstr("lossy"));
}

TEST(Recommendations, CompressWhatWasNotLookedAtIfItIsOf16Bits) {
  Report report = uncompressed(40);
  report.signatures.back().element.clear();
  const auto advice = find(report, Kind::compress_allreduce);
  ASSERT_TRUE(advice);
  EXPECT_THAT(advice->effect, HasSubstr("if they hold FP16 or BF16"));
  EXPECT_THAT(advice->cost, HasSubstr("FP32 needs AIRAMP_LOSSY_TYPES"));
  report.signatures.back().element = "float32";
  EXPECT_FALSE(find(report, Kind::compress_allreduce));
}

TEST(Recommendations, CompressNothingThatTakesLittleTimeOrStaysOnAHost) {
  EXPECT_FALSE(find(uncompressed(4), Kind::compress_allreduce));
  Report report = uncompressed(40);
  report.hosts.pop_back();
  EXPECT_FALSE(find(report, Kind::compress_allreduce));
}

TEST(Recommendations, CompressAllgathersBetweenHosts) {
  Report report = example_run();
  add_native(report, "MPI_Allgatherv", 1 << 24, 40, Reason::compression_off).element = "bfloat16";
  ASSERT_TRUE(find(report, Kind::compress_allgather));
  EXPECT_FALSE(find(report, Kind::compress_allreduce));
  EXPECT_FALSE(find(uncompressed(40), Kind::compress_allgather));
}

TEST(Recommendations, CompressFloat32WithAWarning) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 24, 47, Reason::type_not_in_lossy_types).element = "float32";
  const auto advice = find(report, Kind::compress_float32);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->settings,
            (Settings{{"enable_fp8_allreduce", "true"}, {"lossy_types", "float16,bfloat16,float32"}}));
  EXPECT_THAT(advice->cost, HasSubstr("few simulations bear"));
  report.signatures.back().element = "float64";
  EXPECT_FALSE(find(report, Kind::compress_float32));
}

TEST(Recommendations, TakeTheTypeOfOtherCallsOfTheSize) {
  Report report = uncompressed(40);
  Report::Signature looked_at = report.signatures.back();
  looked_at.element = "float32";
  looked_at.reason = Reason::not_acquired;
  looked_at.calls = 0;
  report.signatures.back().element.clear();
  report.signatures.push_back(looked_at);
  EXPECT_FALSE(find(report, Kind::compress_allreduce));
  EXPECT_TRUE(find(report, Kind::compress_float32));
  report.signatures.back().element = "bfloat16";
  EXPECT_TRUE(find(report, Kind::compress_allreduce));
  EXPECT_FALSE(find(report, Kind::compress_float32));
}

TEST(Recommendations, CompressShorterVectorsOfWhoOptedIn) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 18, 20, Reason::below_min_bytes).element = "float16";
  EXPECT_FALSE(find(report, Kind::compress_shorter));
  report.settings["enable_fp8_allreduce"] = "true";
  EXPECT_TRUE(find(report, Kind::compress_shorter));
  report.signatures.back().size = report.traffic.back().size = 8;
  EXPECT_FALSE(find(report, Kind::compress_shorter));
}

TEST(Recommendations, AllowTheErrorThatWasMeasured) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 24, 20, Reason::error_above_bound).relative_error = 0.1;
  const auto advice = find(report, Kind::allow_larger_error);
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->settings, (Settings{{"max_relative_error", "0.11"}}));
  EXPECT_THAT(advice->why, HasSubstr("0.1, more than AIRAMP_MAX_RELATIVE_ERROR=0.05"));
  report.signatures.back().relative_error = 7;
  EXPECT_FALSE(find(report, Kind::allow_larger_error));
}

TEST(Recommendations, UseSharedMemoryWhereASettingKeepsItOff) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 10, Reason::no_gpus);
  EXPECT_FALSE(find(report, Kind::use_shared_memory));
  report.settings["enable_shared_memory"] = "false";
  EXPECT_EQ(find(report, Kind::use_shared_memory).value().action, "AIRAMP_ENABLE_SHARED_MEMORY=true");
  report.settings["ranks_per_host"] = "1";  // no two ranks share memory
  EXPECT_FALSE(find(report, Kind::use_shared_memory));
}

TEST(Recommendations, ImposeNothing) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 10, Reason::forced_native);
  EXPECT_FALSE(find(report, Kind::impose_nothing));
  report.settings["force"] = "native";
  EXPECT_EQ(find(report, Kind::impose_nothing).value().settings, (Settings{{"force", "none"}}));
}

TEST(Recommendations, TakeAnyOrderWhereTheLibraryKeepsNone) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 16, 10, Reason::no_order_of_sums);
  EXPECT_THAT(find(report, Kind::any_order).value().cost, HasSubstr("last digits"));
  report.settings["reduction_order"] = "exact";
  EXPECT_FALSE(find(report, Kind::any_order));
}

TEST(Recommendations, TakeTheNativeOrderWhereThePromiseCostsTime) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 50, Reason::no_gpus);
  add_accelerated(report, "shared-memory", 0.01, 0.06).reason = Reason::order_promised;
  report.settings["reduction_order"] = "exact";
  EXPECT_DOUBLE_EQ(find(report, Kind::native_order).value().share, 0.05);
  report.signatures.back().reason = Reason::fastest;
  EXPECT_FALSE(find(report, Kind::native_order));
}

TEST(Recommendations, AllowMoreHostScratch) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 1 << 28, 10, Reason::not_measurable);
  EXPECT_TRUE(find(report, Kind::more_host_scratch));
  report.signatures.back().reason = Reason::too_slow;
  EXPECT_FALSE(find(report, Kind::more_host_scratch));
}

TEST(Recommendations, AskFirstWhereManyCallsCameOtherwise) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 50, Reason::no_gpus);
  Report::Signature& signature = add_accelerated(report, "mpi-two-shot", 2e-3, 1e-3);
  signature.piggybacked_calls = 60;
  signature.vetoed_calls = 19;
  EXPECT_FALSE(find(report, Kind::ask_first));
  signature.vetoed_calls = 20;
  EXPECT_THAT(find(report, Kind::ask_first).value().why, HasSubstr("of 80 calls that PoLA expected, 20"));
  signature.piggybacked_calls = 1000;
  EXPECT_FALSE(find(report, Kind::ask_first));
}

TEST(Recommendations, TimeCollectives) {
  Report report = example_run();
  report.signatures.push_back({.function = "MPI_Bcast", .path = "native", .calls = 5});
  EXPECT_FALSE(find(report, Kind::time_collectives));
  report.settings["telemetry"] = "false";
  EXPECT_TRUE(find(report, Kind::time_collectives));
}

TEST(Recommendations, StartFewerRanksThanProcessors) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 50, Reason::no_gpus);
  report.hosts[1] = {.name = "b", .ranks = 9, .processors = 8};
  const auto advice = find(report, Kind::fewer_ranks);
  ASSERT_TRUE(advice);
  EXPECT_TRUE(advice->settings.empty());
  EXPECT_THAT(advice->action, HasSubstr("at most 8 ranks on host b"));
  EXPECT_THAT(advice->why, HasSubstr("9 ranks shared 8 processors of host b"));
  report.hosts[1] = {.name = "b", .ranks = 8, .processors = 8};
  EXPECT_FALSE(find(report, Kind::fewer_ranks));
  report.hosts[1] = {.name = "b", .ranks = 9, .processors = 0};  // not known
  EXPECT_FALSE(find(report, Kind::fewer_ranks));
}

TEST(Recommendations, LeaveItOffWhereThereIsNothingToGain) {
  Report report = example_run();
  add_native(report, "MPI_Allreduce", 8, 0.1, Reason::below_min_bytes);
  EXPECT_EQ(find(report, Kind::leave_off).value().settings, (Settings{{"disable", "true"}}));
  report.on = false;
  EXPECT_FALSE(find(report, Kind::leave_off));
}

TEST(Recommendations, LeaveItOffWhereItCost) {
  Report report = example_run();
  add_native(report, "MPI_Bcast", 64, 50, Reason::no_gpus);
  add_accelerated(report, "shared-memory", 0.01, 0.03);
  EXPECT_THAT(find(report, Kind::leave_off).value().why, HasSubstr("cost an estimated 2.0 % of the run"));
  report.signatures.back().airamp_median_seconds = 0.01;
  report.tuning_seconds = 3;  // which a longer run may repay
  EXPECT_FALSE(find(report, Kind::leave_off));
}

}  // namespace
}  // namespace airamp::telemetry
