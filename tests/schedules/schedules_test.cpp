// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// A small part of what explore_schedules searches; docs/protocol.md says what came of the whole.
#include <gtest/gtest.h>

#include <string>

#include "tests/schedules/search.hpp"

namespace airamp::schedules {
namespace {

using testing::Sends;

constexpr std::size_t some_schedules = 120;
constexpr std::uint64_t some_seeds = 20;

class Schedules : public ::testing::TestWithParam<Program> {};

TEST_P(Schedules, ChangeNothing) {
  for (const bool airamp : {false, true}) {
    for (const Sends sends : {Sends::with_bytes, Sends::without_bytes}) {
      const Found found = search_all(GetParam(), 2, sends, some_schedules, airamp);
      EXPECT_EQ(found.wrong, "") << "AIRamp " << airamp << ": " << found.again;
      EXPECT_GT(found.schedules, 0U);
    }
    const Found found = search_randomly(GetParam(), 1, some_seeds, airamp);
    EXPECT_EQ(found.wrong, "") << "AIRamp " << airamp << ": " << found.again;
  }
}

class BrokenPrograms : public ::testing::TestWithParam<Program> {};

// What is found can be had again, and is not there without what is broken.
TEST_P(BrokenPrograms, AreFound) {
  const Program& program = GetParam();
  Found found;
  for (const Sends sends : {Sends::with_bytes, Sends::without_bytes}) {
    if (found.wrong.empty()) found = search_all(program, 2, sends, some_schedules);
    EXPECT_EQ(search_all(program, 2, sends, some_schedules, false).wrong, "");
    if (found.wrong.empty()) continue;
    const std::string schedule = found.again.substr(found.again.rfind(' ') + 1);
    testing::Replay replay(testing::schedule_of(schedule), sends, program.step);
    EXPECT_EQ(run(program, 2, replay), found.wrong);
    break;
  }
  if (found.wrong.empty()) {
    constexpr std::uint64_t many_seeds = 1000;
    found = search_randomly(program, 1, many_seeds);
    EXPECT_EQ(run_seed(program, found.schedules), found.wrong);
  }
  EXPECT_NE(found.wrong, "");
}

std::string name_of(const ::testing::TestParamInfo<Program>& test) { return std::string(test.param.name); }

INSTANTIATE_TEST_SUITE_P(All, Schedules, ::testing::ValuesIn(programs()), name_of);
INSTANTIATE_TEST_SUITE_P(All, BrokenPrograms, ::testing::ValuesIn(broken_programs()), name_of);

}  // namespace
}  // namespace airamp::schedules
