// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/airamp/report_comparison/comparison.hpp"

namespace airamp::report_comparison {
namespace {

using testing::HasSubstr;
using testing::Not;

Comparison example() {
  return {.verdict = "B took less.",
          .caveats = {"one run <each>"},
          .tables = {{.heading = "The runs", .columns = {"", "A", "B"}, .rows = {{"program\x1b[31m", "x<y", "z"}}}}};
}

TEST(ComparisonText, IsForATerminal) {
  EXPECT_EQ(comparison_text(example()),
            "B took less.\n"
            "note: one run <each>\n"
            "\n"
            "The runs:\n"
            "              A    B\n"
            "program\ufffd[31m  x<y  z\n");
}

TEST(ComparisonPage, IsOneFileThatNeedsNothingElse) {
  const std::string page = comparison_page(example());
  EXPECT_THAT(page, testing::StartsWith("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("<h2>B took less.</h2>"));
  EXPECT_THAT(page, HasSubstr("<li>one run &lt;each&gt;</li>"));
  EXPECT_THAT(page, HasSubstr("x&lt;y"));
  for (const char* part : {"http:", "https:", "src=", "<script", "<link", "@import", "url("}) {
    EXPECT_THAT(page, Not(HasSubstr(part)));
  }
}

}  // namespace
}  // namespace airamp::report_comparison
