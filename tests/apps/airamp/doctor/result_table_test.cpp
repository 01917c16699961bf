// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/result_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(ResultTableTest, OneLineForAShortFinding) {
  EXPECT_EQ(result_table({{"open files", {Verdict::wrong, "just 16 (ulimit -n)", "Raise it."}}}),
            "VERDICT  CHECK       FOUND                WHAT TO DO\n"
            "wrong    open files  just 16 (ulimit -n)  Raise it.\n");
}

TEST(ResultTableTest, LongCellsGoOnBelow) {
  std::string many;
  for (int i = 0; i < 30; ++i) many += "word" + std::to_string(i) + ' ';
  std::istringstream lines(result_table({{"check", {Verdict::good, many, many}}}));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 140U);
  EXPECT_GT(count, 2);
}

TEST(ResultTableTest, JsonHasTheSameWords) {
  const nlohmann::json json = result_json({{"open files", {Verdict::worth_knowing, "16", "Raise it."}}});
  EXPECT_EQ(json, nlohmann::json::parse(R"([{"check": "open files", "verdict": "worth knowing", "found": "16",
                                             "advice": "Raise it."}])"));
}

TEST(CheckTableTest, NamesAreDifferent) {
  std::set<std::string_view> names;
  for (const NamedCheck& named : every_check()) names.insert(named.name);
  EXPECT_EQ(names.size(), every_check().size());
}

TEST(CheckTableTest, TheWorstComesFirst) {
  MadeUpHost host;
  host.subject.ranks = {.number = 3, .known = true};
  const std::vector<Result> results = examine(host.subject);
  ASSERT_FALSE(results.empty());
  for (std::size_t i = 1; i < results.size(); ++i) {
    EXPECT_LE(results[i - 1].finding.verdict, results[i].finding.verdict);
  }
}

TEST(CheckTableTest, EveryFindingHasWordsAndWhatIsWrongHasAdvice) {
  MadeUpHost host;
  host.subject.mpi.trouble = "there is no mpirun in any folder of PATH";
  host.subject.airamp.trouble = "libairamp.so was not found; looked at\n  /usr/lib/libairamp.so";
  for (const Result& result : examine(host.subject)) {
    EXPECT_FALSE(result.finding.found.empty()) << result.name;
    EXPECT_TRUE(result.finding.verdict != Verdict::wrong || !result.finding.advice.empty()) << result.name;
  }
}

}  // namespace
}  // namespace airamp::doctor
