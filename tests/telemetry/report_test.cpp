// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

namespace airamp::telemetry {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Report example() {
  Report report{.version = "1.2.3", .mpi = "Some \"MPI\" 4", .ranks = 2, .on = true};
  report.settings = {{"min_bytes", "1M"}};
  report.functions = {{"MPI_Allreduce", 7}};
  report.signatures.push_back({.function = "MPI_Allreduce",
                               .communicator = "MPI_COMM_WORLD",
                               .size = 1536,
                               .element = "float16",
                               .op = "sum",
                               .path = "native",
                               .state = DecisionState::decided,
                               .calls = 7,
                               .bytes = 3145728,
                               .native_median_seconds = 0.000123,
                               .airamp_median_seconds = NAN,
                               .speedup = NAN,
                               .relative_error = 0.038,
                               .maximum_error = NAN,
                               .reason = Reason::too_slow,
                               .why = "only 0.90x native"});
  report.tuning_calls = 2;
  report.tuning_seconds = 0.25;
  return report;
}

TEST(Report, IsJsonWithNullForWhatWasNotMeasured) {
  const auto json = nlohmann::json::parse(to_json(example()));
  EXPECT_EQ(json["airamp"]["mpi"], "Some \"MPI\" 4");
  EXPECT_EQ(json["airamp"]["state"], "on");
  EXPECT_EQ(json["settings"]["min_bytes"], "1M");
  EXPECT_EQ(json["functions"]["MPI_Allreduce"], 7);
  const auto& signature = json["signatures"].at(0);
  EXPECT_EQ(signature["bytes"], 3145728);
  EXPECT_DOUBLE_EQ(signature["native_median_seconds"].get<double>(), 0.000123);
  EXPECT_TRUE(signature["speedup"].is_null());
  EXPECT_EQ(signature["state"], "decided");
  EXPECT_EQ(signature["reason"], "too_slow");
  EXPECT_EQ(signature["why"], "only 0.90x native");
  EXPECT_EQ(json["tuning"]["calls"], 2);
}

TEST(Report, IsATableForPeople) {
  const std::string text = to_text(example());
  EXPECT_THAT(text, HasSubstr("AIRamp 1.2.3 on 2 ranks, Some \"MPI\" 4: on"));
  EXPECT_THAT(text, HasSubstr("1.5 KiB"));
  EXPECT_THAT(text, HasSubstr("123.0"));
  EXPECT_THAT(text, HasSubstr("only 0.90x native [MPI_COMM_WORLD]"));
}

/// The example with something to say.
Report example_with_advice() {
  Report report = example();
  report.advice.verdict = {.kind = VerdictKind::setting, .text = "Try it otherwise."};
  Recommendation recommendation{
      .kind = RecommendationKind::any_order, .share = 0.25, .why = "why", .effect = "effect", .cost = "last digits"};
  recommendation.set({{"reduction_order", "any"}});
  report.advice.recommendations = {recommendation};
  report.advice.findings = {{.kind = FindingKind::late_rank, .share = 0.5, .text = "rank 1 is late"}};
  return report;
}

TEST(Report, StartsWithAVerdictForPeople) {
  const std::string text = to_text(example_with_advice());
  EXPECT_THAT(text, testing::StartsWith("verdict: Try it otherwise.\n"
                                        "to do: AIRAMP_REDUCTION_ORDER=any\n"
                                        "  because: why\n"
                                        "  expect: effect\n"
                                        "  costs: last digits\n"
                                        "seen: rank 1 is late\n"));
}

TEST(Report, HasAVerdictForPrograms) {
  const auto json = nlohmann::json::parse(to_json(example_with_advice()));
  EXPECT_EQ(json["verdict"]["kind"], "setting");
  EXPECT_EQ(json["verdict"]["text"], "Try it otherwise.");
  const auto& advice = json["advice"].at(0);
  EXPECT_EQ(advice["kind"], "any_order");
  EXPECT_EQ(advice["settings"], (nlohmann::json{{"reduction_order", "any"}}));
  EXPECT_EQ(advice["cost"], "last digits");
  EXPECT_EQ(json["findings"].at(0)["kind"], "late_rank");
  EXPECT_DOUBLE_EQ(json["findings"].at(0)["share"].get<double>(), 0.5);
}

TEST(Report, SaysWhatWasWaitedForMessages) {
  Report report = example();
  EXPECT_THAT(to_text(report), testing::Not(HasSubstr("waited for messages")));
  report.messages = {{.function = "MPI_Waitall", .calls = {.calls = 3, .seconds = 1.5}}};
  report.rank_costs = {{.host = "a", .message_seconds = 1.5}};
  EXPECT_THAT(to_text(report), HasSubstr("waited for messages and requests: MPI_Waitall 1.50 s"));
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["messages"].at(0), (nlohmann::json{{"function", "MPI_Waitall"}, {"calls", 3}, {"seconds", 1.5}}));
  EXPECT_EQ(json["ranks"].at(0)["message_seconds"], 1.5);
}

TEST(Report, SaysWhatEachRankCalledAndWhereItRan) {
  Report report = example();
  report.rank_costs = {{.host = "a", .functions = {{"MPI_Barrier", {.calls = 3, .seconds = 1.5}}}}};
  report.hosts = {{.name = "a", .ranks = 2, .processors = 4}};
  report.close_calls = {{.communicator = "MPI_COMM_WORLD", .groups = 2, .calls = 6, .seconds = 0.5}};
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["ranks"].at(0)["functions"]["MPI_Barrier"]["calls"], 3);
  EXPECT_EQ(json["hosts"].at(0), (nlohmann::json{{"name", "a"}, {"ranks", 2}, {"processors", 4}}));
  EXPECT_EQ(json["close_calls"].at(0)["groups"], 2);
}

TEST(Report, SaysFromWhereCallsCame) {
  Report report;
  EXPECT_THAT(to_text(report), Not(HasSubstr("place in the program")));
  report.call_sites = {{.function = "MPI_Bcast",
                        .stack = {{.object = "/opt/bin/solver", .offset = 0x1234, .symbol = ""},
                                  {.object = "/lib/libpetsc.so", .offset = 0x20, .symbol = "KSPSolve"}},
                        .calls = {.calls = 7, .seconds = 2.5},
                        .bytes = 56},
                       {.function = "MPI_Barrier", .stack = {}, .calls = {.calls = 1, .seconds = 0.5}}};
  EXPECT_THAT(to_text(report), HasSubstr("7 calls of MPI_Bcast at ? (solver+0x1234), called at KSPSolve "
                                         "(libpetsc.so+0x20)\n"));
  EXPECT_THAT(to_text(report), HasSubstr("1 calls of MPI_Barrier at other places\n"));
  const nlohmann::json site = nlohmann::json::parse(to_json(report))["call_sites"].at(0);
  EXPECT_EQ(site["function"], "MPI_Bcast");
  EXPECT_EQ(site["calls"], 7);
  EXPECT_EQ(site["bytes"], 56);
  EXPECT_EQ(site["seconds"], 2.5);
  EXPECT_EQ(site["stack"].at(0)["object"], "/opt/bin/solver");
  EXPECT_EQ(site["stack"].at(0)["offset"], 0x1234);
  EXPECT_EQ(site["stack"].at(1)["symbol"], "KSPSolve");
}

TEST(Report, SaysWhyAIRampWasOff) {
  Report report = example();
  report.on = false;
  report.why_off = "disabled by the settings";
  EXPECT_THAT(to_text(report), HasSubstr("off (disabled by the settings)"));
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["airamp"]["state"], "off");
}

TEST(Report, ChoosesTheFormatByTheFilesName) {
  const auto folder = std::filesystem::temp_directory_path() / ("airamp-report-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const auto read = [](const std::filesystem::path& path) {
    std::stringstream content;
    content << std::ifstream(path).rdbuf();
    return content.str();
  };
  EXPECT_THAT(write_report(example(), folder / "run.json"), IsEmpty());
  EXPECT_THAT(write_report(example(), folder / "run.txt"), IsEmpty());
  EXPECT_EQ(read(folder / "run.json"), to_json(example()));
  EXPECT_EQ(read(folder / "run.txt"), to_text(example()));
  std::filesystem::remove_all(folder);
}

TEST(Report, NamesTheFileThatCannotBeWritten) {
  EXPECT_THAT(write_report(example(), "/nonexistent/run.json"), HasSubstr("/nonexistent/run.json"));
}

}  // namespace
}  // namespace airamp::telemetry
