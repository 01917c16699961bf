// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/safe_text.hpp"

#include <gtest/gtest.h>

namespace airamp::base {
namespace {

TEST(SafeText, KeepsWellFormedText) {
  for (const char* text : {"", "MPI_COMM_WORLD", "\u00E9", "\u4E2D\u6587", "\U0001F680", "\uFFFD", "\U0010FFFF"}) {
    EXPECT_EQ(safe_text(text), text);
  }
}

TEST(SafeText, EndsAtNul) { EXPECT_EQ(safe_text(std::string_view("ab\0cd", 5)), "ab"); }

TEST(SafeText, ReplacesControlCharacters) {
  EXPECT_EQ(safe_text("a\tb\nc\x7F"),
            "a\uFFFD"
            "b\uFFFD"
            "c\uFFFD");
  EXPECT_EQ(safe_text("\x1b[31m"), "\uFFFD[31m");
  EXPECT_EQ(safe_text("\u0085\u009F\u00A0"), "\uFFFD\uFFFD\u00A0");
}

TEST(SafeText, ReplacesWhatIsNotWellFormed) {
  // Examples of the Unicode standard 15.0, section 3.9: over-long forms, surrogates, beyond U+10FFFF, cut characters.
  EXPECT_EQ(safe_text("\xC0\xAF"), "\uFFFD\uFFFD");
  EXPECT_EQ(safe_text("\xE0\x80\xAF"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(safe_text("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(safe_text("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(safe_text("\xF0\x80\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(safe_text("x\xC3"), "x\uFFFD");
  EXPECT_EQ(safe_text("\x80y"), "\uFFFDy");
  EXPECT_EQ(safe_text("\xE4\xB8z"), "\uFFFD\uFFFDz");
}

}  // namespace
}  // namespace airamp::base
