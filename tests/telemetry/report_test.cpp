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
