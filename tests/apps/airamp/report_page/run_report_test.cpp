// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/run_report.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace airamp::report_page {
namespace {

using testing::HasSubstr;

std::string error_of(std::string_view json) {
  try {
    read_run_report(json);
  } catch (const ReportError& error) {
    return error.what();
  }
  return "none";
}

TEST(RunReport, ReadsWhatTheLibraryWrites) {
  telemetry::Report written{.version = "1.2.3", .mpi = "Some MPI", .ranks = 2, .on = true, .why_off = "no"};
  written.settings = {{"min_speedup", "1.05"}, {"codec", "mxint8"}};
  written.functions = {{"MPI_Bcast", 3}, {"MPI_Allreduce", 7}};
  written.signatures = {{.function = "MPI_Allreduce",
                         .communicator = "world",
                         .size = 1024,
                         .element = "float16",
                         .op = "sum",
                         .path = "native",
                         .state = DecisionState::decided,
                         .calls = 7,
                         .accelerated_calls = 6,
                         .piggybacked_calls = 5,
                         .bytes = 8192,
                         .native_median_seconds = 0.25,
                         .airamp_median_seconds = 0.125,
                         .speedup = 2,
                         .relative_error = std::nan(""),
                         .maximum_error = 0.5,
                         .reason = Reason::too_slow,
                         .why = "because"}};
  written.advice = {.verdict = {.kind = telemetry::VerdictKind::saved, .text = "It saved much."},
                    .recommendations = {{.action = "do", .why = "why", .effect = "effect", .cost = "cost"}},
                    .findings = {{.text = "seen"}}};
  written.patterns = {{.communicator = "world",
                       .state = "locked",
                       .period = 12,
                       .calls = 100,
                       .hits = 50,
                       .misses = 2,
                       .locks = 1,
                       .breaks = 0,
                       .changes = {{.state = "locked", .call = 48, .seconds = 1.5}}}};
  written.call_sites = {{.function = "MPI_Bcast",
                         .stack = {{.object = "/bin/app", .offset = 66, .symbol = "main"}},
                         .calls = {.calls = 3, .seconds = 1.25},
                         .bytes = 192}};
  written.traffic = {{.function = "MPI_Bcast",
                      .communicator = "world",
                      .size = 64,
                      .path = "ccl",
                      .calls = 3,
                      .bytes = 200,
                      .seconds = 0.5,
                      .p50_seconds = 0.125,
                      .p99_seconds = std::nan("")}};
  written.messages = {{.function = "MPI_Wait", .calls = {.calls = 3, .seconds = 1.5}}};
  written.rank_costs = {
      {.host = "a", .collective_seconds = 1, .message_seconds = 7, .waiting_seconds = 2, .lateness_seconds = 3},
      {.host = "b", .collective_seconds = 4, .message_seconds = 8, .waiting_seconds = 5, .lateness_seconds = 6}};
  written.run_seconds = 60;
  written.started = "2026-11-21T15:04:05Z";
  written.program = "app";
  written.tuning_calls = 4;
  written.tuning_seconds = 0.75;

  const RunReport read = read_run_report(telemetry::to_json(written));
  EXPECT_EQ(read.version, "1.2.3");
  EXPECT_EQ(read.mpi, "Some MPI");
  EXPECT_EQ(read.ranks, 2U);
  EXPECT_EQ(read.state, "on");
  EXPECT_EQ(read.why_off, "no");
  EXPECT_EQ(read.settings, written.settings);
  EXPECT_EQ(read.functions, written.functions);
  ASSERT_EQ(read.messages.size(), 1U);
  EXPECT_EQ(read.messages[0].function, "MPI_Wait");
  EXPECT_EQ(read.messages[0].calls.calls, 3U);
  EXPECT_EQ(read.messages[0].calls.seconds, 1.5);
  EXPECT_EQ(read.verdict, "It saved much.");
  ASSERT_EQ(read.recommendations.size(), 1U);
  EXPECT_EQ(read.recommendations[0].action + read.recommendations[0].why, "dowhy");
  EXPECT_EQ(read.recommendations[0].effect + read.recommendations[0].cost, "effectcost");
  EXPECT_EQ(read.findings, (std::vector<std::string>{"seen"}));
  ASSERT_EQ(read.signatures.size(), 1U);
  const RunReport::Signature& signature = read.signatures[0];
  EXPECT_EQ(signature.function, "MPI_Allreduce");
  EXPECT_EQ(signature.communicator, "world");
  EXPECT_EQ(signature.size, 1024U);
  EXPECT_EQ(signature.element + signature.op + signature.path, "float16sumnative");
  EXPECT_EQ(signature.state, DecisionState::decided);
  EXPECT_EQ(signature.calls, 7U);
  EXPECT_EQ(signature.accelerated_calls, 6U);
  EXPECT_EQ(signature.piggybacked_calls, 5U);
  EXPECT_EQ(signature.bytes, 8192U);
  EXPECT_EQ(signature.native_median_seconds, 0.25);
  EXPECT_EQ(signature.airamp_median_seconds, 0.125);
  EXPECT_EQ(signature.speedup, 2);
  EXPECT_TRUE(std::isnan(signature.relative_error));
  EXPECT_EQ(signature.maximum_error, 0.5);
  EXPECT_EQ(signature.reason, Reason::too_slow);
  EXPECT_EQ(signature.why, "because");
  ASSERT_EQ(read.patterns.size(), 1U);
  const RunReport::Pattern& pattern = read.patterns[0];
  EXPECT_EQ(pattern.communicator + pattern.state, "worldlocked");
  EXPECT_EQ(pattern.period, 12U);
  EXPECT_EQ(pattern.calls, 100U);
  EXPECT_EQ(pattern.hits, 50U);
  EXPECT_EQ(pattern.misses, 2U);
  EXPECT_EQ(pattern.locks, 1U);
  ASSERT_EQ(pattern.changes.size(), 1U);
  EXPECT_EQ(pattern.changes[0].state, "locked");
  EXPECT_EQ(pattern.changes[0].call, 48U);
  EXPECT_EQ(pattern.changes[0].seconds, 1.5);
  ASSERT_EQ(read.traffic.size(), 1U);
  EXPECT_EQ(read.traffic[0].function + read.traffic[0].communicator + read.traffic[0].path, "MPI_Bcastworldccl");
  EXPECT_EQ(read.traffic[0].size, 64U);
  EXPECT_EQ(read.traffic[0].calls, 3U);
  EXPECT_EQ(read.traffic[0].bytes, 200U);
  EXPECT_EQ(read.traffic[0].seconds, 0.5);
  EXPECT_EQ(read.traffic[0].p50_seconds, 0.125);
  EXPECT_TRUE(std::isnan(read.traffic[0].p99_seconds));
  ASSERT_EQ(read.call_sites.size(), 1U);
  EXPECT_EQ(read.call_sites[0].function, "MPI_Bcast");
  EXPECT_EQ(read.call_sites[0].calls, 3U);
  EXPECT_EQ(read.call_sites[0].bytes, 192U);
  EXPECT_EQ(read.call_sites[0].seconds, 1.25);
  ASSERT_EQ(read.call_sites[0].stack.size(), 1U);
  EXPECT_EQ(read.call_sites[0].stack[0].address.object + read.call_sites[0].stack[0].address.symbol, "/bin/appmain");
  EXPECT_EQ(read.call_sites[0].stack[0].address.offset, 66U);
  ASSERT_EQ(read.rank_costs.size(), 2U);
  EXPECT_EQ(read.rank_costs[1].rank, 1U);
  EXPECT_EQ(read.rank_costs[1].costs.host, "b");
  EXPECT_EQ(read.rank_costs[1].costs.collective_seconds, 4);
  EXPECT_EQ(read.rank_costs[1].costs.waiting_seconds, 5);
  EXPECT_EQ(read.rank_costs[1].costs.lateness_seconds, 6);
  EXPECT_EQ(read.seconds, 60);
  EXPECT_EQ(read.started, "2026-11-21T15:04:05Z");
  EXPECT_EQ(read.program, "app");
  EXPECT_EQ(read.tuning_calls, 4U);
  EXPECT_EQ(read.tuning_seconds, 0.75);
}

TEST(RunReport, MissingAndUnknownAndNullAreFine) {
  const RunReport report =
      read_run_report(R"({"airamp": {}, "later": [1], "run": null, "signatures": [{"why": null}]})");
  EXPECT_TRUE(std::isnan(report.seconds));
  EXPECT_TRUE(report.traffic.empty());
  ASSERT_EQ(report.signatures.size(), 1U);
  EXPECT_EQ(report.signatures[0].calls, 0U);
  EXPECT_TRUE(std::isnan(report.signatures[0].speedup));
}

TEST(RunReport, AbsurdQuantitiesAreNotMeasured) {
  const RunReport report = read_run_report(
      R"({"airamp": {}, "run": {"seconds": 1e15}, "tuning": {"seconds": 1.1e15}, "traffic": [{"seconds": -1}]})");
  EXPECT_EQ(report.seconds, 1e15);
  EXPECT_TRUE(std::isnan(report.tuning_seconds));
  ASSERT_EQ(report.traffic.size(), 1U);
  EXPECT_TRUE(std::isnan(report.traffic[0].seconds));
}

TEST(RunReport, RanksMayComeInAnyOrder) {
  const RunReport report = read_run_report(R"({"airamp": {}, "ranks": [{"rank": 2}, {"rank": 0}, {"rank": 1}]})");
  ASSERT_EQ(report.rank_costs.size(), 3U);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_EQ(report.rank_costs[i].rank, i);
}

TEST(RunReport, SaysWhereTheJsonIsWrong) {
  EXPECT_EQ(error_of("{\"airamp\": {},\n \"run\": oops}"), "not valid JSON at line 2, column 9");
  EXPECT_EQ(error_of(""), "not valid JSON at line 1, column 1");
  EXPECT_THAT(error_of(R"({"airamp": {}, "run": {"seconds": NaN}})"), HasSubstr("line 1, column 35"));
  EXPECT_THAT(error_of(R"({"airamp": {}, "run": {"seconds": 1e999}})"), HasSubstr("not valid JSON"));
  EXPECT_THAT(error_of("{\"airamp\": {\"mpi\": \"\xff\"}}"), HasSubstr("not valid JSON at line 1"));
}

TEST(RunReport, SaysWhatIsNoReport) {
  EXPECT_THAT(error_of("[1, 2]"), HasSubstr("not a report of AIRamp"));
  EXPECT_THAT(error_of(R"({"traffic": []})"), HasSubstr("not a report of AIRamp"));
}

TEST(RunReport, SaysWhichValueIsWrong) {
  EXPECT_EQ(error_of(R"({"airamp": 3})"), "airamp is not an object");
  EXPECT_EQ(error_of(R"({"airamp": {"mpi": 3}})"), "airamp.mpi is not a text");
  EXPECT_EQ(error_of(R"({"airamp": {}, "run": {"seconds": "long"}})"), "run.seconds is not a number");
  EXPECT_EQ(error_of(R"({"airamp": {}, "ranks": {}})"), "ranks is not a list");
  EXPECT_EQ(error_of(R"({"airamp": {}, "ranks": [{}, 1]})"), "ranks[1] is not an object");
  EXPECT_THAT(error_of(R"({"airamp": {}, "patterns": [{"changes": [{"call": -1}]}]})"),
              HasSubstr("patterns[0].changes[0].call is not a whole number"));
}

TEST(RunReport, SettingsMayBeNumbers) {
  RunReport report;
  report.settings = {{"min_speedup", "1.05"}, {"codec", "mxint8"}, {"min_bytes", "1M"}};
  EXPECT_DOUBLE_EQ(report.setting_number("min_speedup"), 1.05);
  for (const char* key : {"codec", "min_bytes", "missing"}) EXPECT_TRUE(std::isnan(report.setting_number(key))) << key;
}

}  // namespace
}  // namespace airamp::report_page
