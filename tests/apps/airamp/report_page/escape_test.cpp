// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/escape.hpp"

#include <gtest/gtest.h>

namespace airamp::report_page {
namespace {

TEST(Escape, ReplacesMarkupAndQuotes) {
  EXPECT_EQ(escape("<script>alert(\"a\" + 'b') && c</script>"),
            "&lt;script&gt;alert(&quot;a&quot; + &#39;b&#39;) &amp;&amp; c&lt;/script&gt;");
}

TEST(Escape, KeepsTextOfAllLanguagesAndLengths) {
  const std::string text = "Größe, 時間, время, 🚀👩‍🔬, ‑–µ×";
  EXPECT_EQ(escape(text), text);
  EXPECT_EQ(escape(std::string(300, 'x')), std::string(300, 'x'));
}

TEST(Escape, ReplacesWhatXmlForbidsAndControls) {
  using namespace std::string_literals;
  EXPECT_EQ(escape("a\0b\x01\x1b[31m\x7f"s), "a\uFFFDb\uFFFD\uFFFD[31m\uFFFD");
  EXPECT_EQ(escape("\u0085 \uFFFE \uFFFF"), "\uFFFD \uFFFD \uFFFD");
  EXPECT_EQ(escape("one\n\ttwo"), "one\n\ttwo");
}

TEST(Escape, ReplacesWhatTurnsTheDirectionOfText) {
  EXPECT_EQ(escape("a\u202Eb\u2066c\u200Fd\u061Ce"), "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe");
}

TEST(Shortened, CutsBetweenCodePoints) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abcde…");
  EXPECT_EQ(shortened("🚀🚀🚀", 3), "🚀🚀🚀");
  EXPECT_EQ(shortened("🚀🚀🚀🚀", 3), "🚀🚀…");
  EXPECT_EQ(shortened("", 3), "");
}

}  // namespace
}  // namespace airamp::report_page
