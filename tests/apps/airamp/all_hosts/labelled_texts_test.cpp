// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/all_hosts/labelled_texts.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace airamp::command_line {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The lines of a text as srun shows them for a task.
std::vector<std::string> lines_of(const std::string& label, const std::string& text) {
  std::ostringstream out;
  write_pieces(out, text);
  std::istringstream in(out.str());
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(label + ": " + line + "\n");
  return lines;
}

TEST(LabelledTexts, OfSeveralTasksWhoseLinesAreMixed) {
  const std::string longer(2000, 'a');
  const std::string shorter(901, 'b');
  const std::vector<std::string> first = lines_of(" 0", longer);
  const std::vector<std::string> second = lines_of("12", shorter);
  ASSERT_EQ(first.size(), 3U);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_THAT(labelled_texts(first[0] + second[0] + first[1] + second[1] + first[2]), ElementsAre(shorter, longer));
}

TEST(LabelledTexts, HaveLinesThatSrunDoesNotBreak) {
  for (const std::string& line : lines_of("1023", std::string(100000, 'x'))) EXPECT_LT(line.size(), 1024U);
}

TEST(LabelledTexts, OneAfterTheOtherAndEmptyOnes) {
  EXPECT_THAT(labelled_texts("0: .a: b\n0: .\n0: .c\n"), ElementsAre("a: b", "", "c"));
}

TEST(LabelledTexts, LeaveOutWhatIsNone) {
  EXPECT_THAT(labelled_texts(""), IsEmpty());
  EXPECT_THAT(labelled_texts("srun: error: x\n0: +begun\nno label\n0: \n"), IsEmpty());
}

}  // namespace
}  // namespace airamp::command_line
