// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/time_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/airamp/pola_replay/svg.hpp"
#include "tests/pola/example_trace.hpp"
#include "tests/pola/temporary_trace.hpp"

namespace airamp::pola {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Svg, EscapesWhatXmlReserves) {
  EXPECT_EQ(escape_xml("a<b> & \x01\xff"
                       "c"),
            "a&lt;b&gt; &amp; c");
}

TEST(Svg, StepsAreRound) {
  EXPECT_THAT(round_steps(0, 10, 5), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(round_steps(3, 47, 5), ElementsAre(10, 20, 30, 40));
  EXPECT_THAT(round_steps(5, 5, 5), ElementsAre(5));
}

TEST(TimeLine, ShowsEveryExpectedCallOfTheDetail) {
  const TemporaryTrace file;
  write_example(file.path());
  const TraceReplay result = replay(file.path(), {}, true);
  const std::string picture = draw_time_line(result, result.communicators[0]);
  EXPECT_THAT(picture, testing::StartsWith("<svg "));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
  EXPECT_THAT(picture, HasSubstr("communicator 0 (4 ranks)"));
  EXPECT_THAT(picture, HasSubstr("A 8..16 B"));
  // A green ring for each of the 72 calls after the lock, and one in the legend; nothing was missed.
  EXPECT_EQ(occurrences(picture, "r=\"3.5\" stroke=\"#2e8b57\""), 73U);
  EXPECT_EQ(occurrences(picture, "r=\"3.5\" stroke=\"#d55e00\""), 1U);
}

TEST(TimeLine, OfACommunicatorThatNeverLocks) {
  const TemporaryTrace file;
  write_example(file.path());
  const TraceReplay result = replay(file.path(), {}, true);
  const std::string picture = draw_time_line(result, result.communicators[1]);
  EXPECT_THAT(picture, HasSubstr("The first calls"));
  EXPECT_THAT(picture, testing::EndsWith("</svg>\n"));
}

}  // namespace
}  // namespace airamp::pola
