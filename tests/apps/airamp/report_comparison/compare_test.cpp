// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_comparison/comparison.hpp"

namespace airamp::report_comparison {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

RunReport run_of(double seconds) {
  RunReport report{.mpi = "Some MPI", .ranks = 4, .state = "on", .program = "/usr/bin/app", .seconds = seconds};
  report.functions = {{"MPI_Allreduce", 100}};
  report.traffic = {{.function = "MPI_Allreduce", .size = 1024, .path = "native", .calls = 100, .seconds = 10}};
  return report;
}

/// The rows of the table with this heading; none if there is no such table.
std::vector<std::vector<std::string>> rows(const Comparison& comparison, std::string_view heading) {
  const auto found = std::ranges::find_if(
      comparison.tables, [&](const ComparisonTable& table) { return table.heading.starts_with(heading); });
  return found == comparison.tables.end() ? std::vector<std::vector<std::string>>{} : found->rows;
}

TEST(Comparison, SaysWhichRunWasFaster) {
  const RunReport a = run_of(50);
  const RunReport b = run_of(40);
  EXPECT_EQ(compare({a, b}).verdict, "B took 40.0 s, 10.0 s less than A (-20.0 %).");
  EXPECT_EQ(compare({b, a}).verdict, "B took 50.0 s, 10.0 s more than A (+25.0 %).");
  EXPECT_EQ(compare({a, a}).verdict, "B took 50.0 s, as long as A.");
  EXPECT_EQ(compare({a, run_of(std::nan(""))}).verdict, "How long the runs took is not known.");
}

TEST(Comparison, ComparesTheTimeInAndOutsideOfCollectives) {
  const RunReport a = run_of(50);
  RunReport b = run_of(45);
  b.traffic[0].seconds = 5;
  b.messages = {{.function = "MPI_Waitall", .calls = {.calls = 3, .seconds = 8}}};
  const auto runs = rows(compare({a, b}), "The runs");
  EXPECT_THAT(runs, Contains(ElementsAre("in collectives, rank 0", "10.0 s", "5.00 s", "-50.0 %")));
  EXPECT_THAT(runs, Contains(ElementsAre("waiting for messages, rank 0", "-", "8.00 s", "-")));
  EXPECT_THAT(runs, Contains(ElementsAre("outside of both, rank 0", "40.0 s", "32.0 s", "-20.0 %")));
}

TEST(Comparison, ListsTheCallsWhoseTimeChangedMost) {
  RunReport a = run_of(50);
  RunReport b = run_of(45);
  a.traffic.push_back({.function = "MPI_Bcast_c", .size = 8, .path = "native", .calls = 7, .seconds = 3});
  b.traffic.push_back({.function = "MPI_Bcast", .size = 8, .path = "shared-memory", .calls = 7, .seconds = 1});
  const auto calls = rows(compare({a, b}), "Collectives of rank 0");
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_THAT(calls[0],
              ElementsAre("MPI_Bcast", "8 B", "7", "7", "3.00 s", "1.00 s", "-2.00 s", "native", "shared-memory"));
  b.traffic.clear();
  EXPECT_TRUE(rows(compare({a, b}), "Collectives of rank 0").empty());
}

TEST(Comparison, NamesWhatTookAnotherPathOrHadAnotherError) {
  RunReport a = run_of(50);
  a.signatures = {{.function = "MPI_Allreduce",
                   .communicator = "world",
                   .size = 1024,
                   .element = "float16",
                   .op = "sum",
                   .path = "native",
                   .calls = 100,
                   .relative_error = std::nan("")}};
  RunReport b = a;
  EXPECT_TRUE(rows(compare({a, b}), "Kinds of calls").empty());
  b.signatures[0].path = "mpi-two-shot";
  b.signatures[0].relative_error = 0.038;
  b.signatures[0].why = "measured 1.50x native";
  EXPECT_THAT(rows(compare({a, b}), "Kinds of calls"),
              ElementsAre(ElementsAre("MPI_Allreduce", "1 KiB", "float16 sum", "world", "native", "mpi-two-shot", "-",
                                      "0.038", "measured 1.50x native")));
  a.signatures[0].path = "mpi-two-shot";
  a.signatures[0].relative_error = 0.04;
  EXPECT_EQ(rows(compare({a, b}), "Kinds of calls").size(), 1U);
}

TEST(Comparison, NamesSettingsThatDiffer) {
  RunReport a = run_of(50);
  a.settings = {{"pola", "true"}, {"min_bytes", "1M"}, {"report", "a.json"}};
  RunReport b = a;
  b.settings = {{"pola", "false"}, {"min_bytes", "1M"}, {"report", "b.json"}, {"new", "1"}};
  EXPECT_THAT(rows(compare({a, b}), "Settings"),
              ElementsAre(ElementsAre("new", "-", "1"), ElementsAre("pola", "true", "false")));
}

TEST(Comparison, WarnsWhereTheRunsAreNotAlike) {
  const RunReport a = run_of(50);
  EXPECT_THAT(compare({a, a}).caveats, ElementsAre(HasSubstr("one run of each")));
  RunReport b = run_of(45);
  b.program = "/usr/bin/other";
  b.ranks = 8;
  b.functions[0].second = 99;
  const Comparison comparison = compare({a, b});
  EXPECT_THAT(comparison.caveats, Contains("The programs differ: app and other."));
  EXPECT_THAT(comparison.caveats, Contains("The numbers of ranks differ: 4 and 8."));
  EXPECT_THAT(comparison.caveats, Contains(HasSubstr("did not make the same calls")));
  EXPECT_THAT(rows(comparison, "Functions"), ElementsAre(ElementsAre("MPI_Allreduce", "100", "99")));
}

TEST(Comparison, SaysThatARunWithoutAIRampHasNoTimes) {
  const RunReport a = run_of(50);
  RunReport off = run_of(60);
  off.state = "off";
  off.why_off = "disabled by the settings";
  off.traffic.clear();
  const Comparison comparison = compare({off, a});
  EXPECT_THAT(comparison.caveats, Contains(HasSubstr("A has no times of collectives: AIRamp was off")));
  EXPECT_THAT(comparison.caveats, Not(Contains(HasSubstr("B has no times"))));
  EXPECT_THAT(rows(comparison, "The runs"),
              Contains(ElementsAre("AIRamp", "off (disabled by the settings)", "on", "")));
  EXPECT_THAT(rows(comparison, "The runs"), Contains(ElementsAre("in collectives, rank 0", "-", "10.0 s", "-")));
}

TEST(Comparison, WritesChangesAsPercent) {
  EXPECT_EQ(change_text(2, 1.5), "-25.0 %");
  EXPECT_EQ(change_text(2, 2.0005), "as before");
  EXPECT_EQ(change_text(0, 1), "-");
  EXPECT_EQ(change_text(std::nan(""), 1), "-");
}

}  // namespace
}  // namespace airamp::report_comparison
