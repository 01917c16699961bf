// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/page.hpp"

#include <gmock/gmock.h>

#include <cmath>

namespace airamp::report_page {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Page, LoadsNothingFromElsewhere) {
  const std::string text = page({});
  for (const char* part : {"http:", "https:", "src=", "<script", "<link", "@import", "url("}) {
    EXPECT_THAT(text, Not(HasSubstr(part)));
  }
}

TEST(Page, SaysWhatItCannotShow) {
  const std::string text = page({});
  for (const char* part :
       {"no times of collectives", "no speed-up to show", "no error to show", "no communicator whose calls PoLA saw",
        "no times of single ranks", "no signatures", "names no MPI function", "no settings"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST(Page, StartsWithTheVerdict) {
  RunReport report{.program = "lmp"};
  EXPECT_THAT(page(report), Not(HasSubstr("What to set")));
  report.verdict = "Try <it> otherwise.";
  report.recommendations = {{.action = "AIRAMP_X=1", .why = "a > b", .effect = "c", .cost = "last digits"},
                            {.action = "AIRAMP_Y=1", .why = "d", .effect = "e"}};
  report.findings = {"rank 1 is late"};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("<h2>Try &lt;it&gt; otherwise.</h2>"));
  EXPECT_LT(text.find("Try &lt;it"), text.find("In short"));
  EXPECT_THAT(text,
              HasSubstr("<li><code>AIRAMP_X=1</code>: a &gt; b. Expect: c. <strong>It costs:</strong> last digits."));
  EXPECT_THAT(text, HasSubstr("<li><code>AIRAMP_Y=1</code>: d. Expect: e.</li>"));
  EXPECT_THAT(text, HasSubstr("<li>rank 1 is late</li>"));
}

TEST(Page, SaysWhoCalled) {
  RunReport report{.seconds = 10};
  EXPECT_THAT(page(report), Not(HasSubstr("Who called")));
  report.call_sites = {{.function = "MPI_Bcast", .calls = 7, .bytes = 56, .seconds = 2.5, .stack = {}}};
  report.call_sites[0].stack = {
      {.address = {.object = "/opt/solver", .offset = 0x12, .symbol = ""}, .function = "dot<T>", .line = "dot.cpp:7"},
      {.address = {.object = "/lib/libpetsc.so", .offset = 0x34, .symbol = "KSPSolve"}, .function = "", .line = ""}};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("Who called"));
  EXPECT_THAT(text, HasSubstr("dot&lt;T&gt; <span class=\"faint\">dot.cpp:7</span><br>called by KSPSolve "
                              "<span class=\"faint\">libpetsc.so+0x34</span>"));
  EXPECT_THAT(text, HasSubstr(">25.0 %<"));
}

TEST(Page, SaysWhyAIRampWasOff) {
  EXPECT_THAT(page({.state = "off", .why_off = "AIRAMP_DISABLE <1>"}),
              HasSubstr("AIRamp was off</strong>, because of this: AIRAMP_DISABLE &lt;1&gt;"));
}

TEST(Page, MarksSettingsThatDifferFromTheDefaults) {
  RunReport report;
  report.settings = {{"codec", "mxfp8-e4m3"}, {"min_bytes", "64K"}, {"of_the_future", "1"}};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("1 of 3 settings differs from its default"));
  EXPECT_LT(text.find("min_bytes"), text.find("<code>codec"));
  EXPECT_THAT(text, HasSubstr("not a setting of this version of airamp"));
}

TEST(Page, GivesReasonsForWhatItLeftAlone) {
  RunReport report{.state = "on"};
  report.signatures = {{.path = "native", .state = DecisionState::not_eligible, .calls = 5, .why = "too <small>"},
                       {.path = "native", .state = DecisionState::decided, .calls = 7, .why = "only 0.90x native"},
                       {.path = "native", .state = DecisionState::not_eligible, .calls = 6, .why = "too <small>"},
                       {.path = "ccl", .state = DecisionState::decided, .calls = 20, .accelerated_calls = 17}};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("<strong>11\u00a0calls</strong> too &lt;small&gt;"));
  EXPECT_THAT(text, HasSubstr("<strong>7\u00a0calls</strong> measured: "));
  EXPECT_THAT(text, HasSubstr("<strong>3\u00a0calls</strong> of accelerated kinds"));
  EXPECT_THAT(text, HasSubstr("<strong>17 of 38</strong>"));
}

TEST(Page, GivesTheReasonThatRemains) {
  RunReport report{.state = "on"};
  const auto row = [](DecisionState state, std::uint64_t calls, Reason reason, std::string why) {
    return RunReport::Signature{
        .path = "native", .state = state, .calls = calls, .reason = reason, .why = std::move(why)};
  };
  report.signatures = {row(DecisionState::not_eligible, 9, Reason::below_min_bytes, "smaller than min_bytes"),
                       row(DecisionState::decided, 5, Reason::too_slow, "only 0.90x native, less than 1.05x"),
                       row(DecisionState::decided, 4, Reason::error_above_bound, "relative error 1 above the bound"),
                       row(DecisionState::decided, 3, Reason::not_acquired, "ranks share a GPU"),
                       row(DecisionState::measuring, 2, Reason::measuring, "still measuring")};
  const std::string text = page(report);
  EXPECT_THAT(text, HasSubstr("<strong>9\u00a0calls</strong> smaller than min_bytes"));
  EXPECT_THAT(text, HasSubstr("<strong>5\u00a0calls</strong> measured: AIRamp&#39;s way was not faster by enough ("));
  EXPECT_THAT(text, HasSubstr("<strong>4\u00a0calls</strong> measured: AIRamp&#39;s way was not exact enough ("));
  EXPECT_THAT(text, HasSubstr("<strong>3\u00a0calls</strong> ranks share a GPU"));
  EXPECT_THAT(text, HasSubstr("<strong>2\u00a0calls</strong> still being measured when the run ended"));
}

TEST(Page, ShowsFailures) {
  RunReport report{.state = "on"};
  report.signatures = {
      {.path = "native", .state = DecisionState::failed, .calls = 2, .why = "its communication failed"}};
  EXPECT_THAT(page(report), HasSubstr("<strong>failed</strong>"));
  EXPECT_THAT(page(report), HasSubstr("<strong>2\u00a0calls</strong> its communication failed"));
}

TEST(Page, SaysWhichPartOfATimeLineIsNotRecorded) {
  RunReport report{.seconds = 10};
  report.patterns = {{.state = "locked", .locks = 1, .changes = {{.state = "locked", .call = 40, .seconds = 5}}}};
  EXPECT_THAT(page(report), Not(HasSubstr("not recorded")));
  EXPECT_THAT(page(report), HasSubstr("class=\"locked\""));
  report.patterns[0].locks = 2;
  report.patterns[0].breaks = 1;
  EXPECT_THAT(page(report), HasSubstr("not recorded"));
}

TEST(Page, DrawsManyRanksAsCurves) {
  RunReport report;
  for (std::uint64_t rank = 0; rank < 65; ++rank) {
    report.rank_costs.push_back({rank, {.host = "h", .waiting_seconds = 1, .lateness_seconds = 0}});
  }
  EXPECT_THAT(page(report), HasSubstr("<polyline"));
  EXPECT_THAT(page(report), HasSubstr("The 10 latest ranks"));
  report.rank_costs.pop_back();
  EXPECT_THAT(page(report), Not(HasSubstr("<polyline")));
}

}  // namespace
}  // namespace airamp::report_page
