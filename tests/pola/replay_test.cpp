// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "apps/airamp/pola_replay/replay_json.hpp"
#include "apps/airamp/pola_replay/replay_table.hpp"
#include "tests/pola/example_trace.hpp"
#include "tests/pola/temporary_trace.hpp"

namespace airamp::pola {
namespace {

using testing::HasSubstr;

TEST(Replay, CountsWhatTheStreamCounts) {
  const TemporaryTrace file;
  write_example(file.path());
  const TraceReplay result = replay(file.path(), {}, true);
  ASSERT_EQ(result.communicators.size(), 2U);

  const CommunicatorReplay& steps = result.communicators[0];
  EXPECT_EQ(steps.counters.events, example_calls);
  EXPECT_EQ(steps.signatures, 5U);
  EXPECT_EQ(steps.period, 5U);
  ASSERT_EQ(steps.changes.size(), 1U);
  EXPECT_EQ(steps.changes[0].state, Stream::State::locked);
  EXPECT_EQ(steps.changes[0].period, 5U);
  // From the call after the lock on, all is foreseen.
  EXPECT_EQ(steps.counters.hits, example_calls - steps.changes[0].event);
  EXPECT_EQ(steps.counters.misses, 0U);
  ASSERT_EQ(steps.calls.size(), example_calls);
  EXPECT_EQ(steps.calls.back().expected, steps.calls.back().signature);
  EXPECT_EQ(steps.calls.back().expected_ns, steps.calls.back().event.entered_ns);
  EXPECT_EQ(steps.median_lateness_ns, 0);

  const ReplayTotals sum = totals(result, {});
  EXPECT_EQ(sum.events, example_calls + 3);
  EXPECT_EQ(sum.short_events, 3U);
  EXPECT_EQ(sum.accuracy(), 1.0);
}

TEST(Replay, OfOneCommunicator) {
  const TemporaryTrace file;
  write_example(file.path());
  const TraceReplay result = replay(file.path(), {.communicator = 1}, false);
  ASSERT_EQ(result.communicators.size(), 1U);
  EXPECT_EQ(result.communicators[0].number, 1U);
  EXPECT_EQ(result.communicators[0].counters.events, 3U);
  EXPECT_EQ(totals(result, {}).accuracy(), std::nullopt);
}

TEST(Replay, RunsOtherMethodsOverTheSameCalls) {
  const TemporaryTrace file;
  write_example(file.path());
  const ReplayOptions options{.baselines = true, .communicator = 0};
  const TraceReplay result = replay(file.path(), options, false);
  const ReplayTotals sum = totals(result, options);
  ASSERT_EQ(sum.baselines.size(), 3U);
  EXPECT_EQ(sum.baselines[0].method, "same as last");
  EXPECT_EQ(sum.baselines[0].predicted, example_calls - 1);
  EXPECT_EQ(sum.baselines[0].right, 0U);  // no call equals the one before
  EXPECT_EQ(sum.baselines[2].method, "edit distance");
  EXPECT_GT(sum.baselines[2].right, example_calls / 2);
}

TEST(ReplayTable, NamesLockPointsAndMethods) {
  const TemporaryTrace file;
  write_example(file.path());
  const ReplayOptions options{.baselines = true};
  const TraceReplay result = replay(file.path(), options, false);
  const std::string text = describe(result, options);
  EXPECT_THAT(text, HasSubstr("example, rank 0 of 4, An MPI"));
  EXPECT_THAT(
      text, HasSubstr("communicator 0: locked after call " + std::to_string(result.communicators[0].changes[0].event)));
  EXPECT_THAT(text, HasSubstr("period 5"));
  EXPECT_THAT(text, HasSubstr("3 calls were on communicators with fewer than 32 calls"));
  EXPECT_THAT(text, HasSubstr("edit distance"));

  const std::string table = summarise({result, result}, options);
  EXPECT_THAT(table, HasSubstr("average"));
  EXPECT_THAT(table, HasSubstr("100.00 %"));
}

TEST(ReplayJson, HoldsTheSameNumbers) {
  const TemporaryTrace file;
  write_example(file.path());
  const TraceReplay result = replay(file.path(), {}, false);
  const auto json = nlohmann::json::parse(to_json({result}, {}));
  ASSERT_EQ(json.size(), 1U);
  EXPECT_EQ(json[0]["program"], "example");
  EXPECT_EQ(json[0]["calls"], example_calls + 3);
  EXPECT_EQ(json[0]["accuracy"], 1.0);
  EXPECT_EQ(json[0]["communicators"][0]["period"], 5);
  EXPECT_EQ(json[0]["communicators"][0]["changes"][0]["state"], "locked");
  EXPECT_EQ(json[0]["communicators"][1]["calls"], 3);
}

}  // namespace
}  // namespace airamp::pola
