// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/device/ghost_policy.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

using Verdict = GhostPolicy::Verdict;

constexpr std::int64_t microsecond = 1000;
constexpr std::int64_t millisecond = 1000 * microsecond;

/// A locked pattern whose calls come a gap apart.
class Pattern {
 public:
  explicit Pattern(GhostPolicy& policy) : policy_(policy) {}

  /// A call at `place` that took so long; the next one is expected after `gap_ns`. How long ghosts are launched then;
  /// nothing if none are.
  std::optional<std::int64_t> call(std::uint64_t place, std::int64_t duration_ns, std::int64_t gap_ns) {
    now_ns_ += duration_ns;
    const auto end_ns = policy_.end_call({.place = place,
                                          .locked = true,
                                          .left_ns = now_ns_,
                                          .duration_ns = duration_ns,
                                          .expected_ns = now_ns_ + gap_ns});
    const std::optional<std::int64_t> window = end_ns ? std::optional<std::int64_t>(*end_ns - now_ns_) : std::nullopt;
    now_ns_ += gap_ns;
    return window;
  }

  /// Calls until there is a verdict, `plain_ns` long or after ghosts `with_ns`; the number of windows with ghosts, and
  /// of all.
  struct Windows {
    int with_ghosts = 0;
    int all = 0;
  };
  Windows decide(std::int64_t plain_ns, std::int64_t with_ns) {
    Windows windows;
    bool ghosts = call(1, plain_ns, millisecond).has_value();
    while (policy_.verdict() == Verdict::trying) {
      ++windows.all;
      windows.with_ghosts += ghosts ? 1 : 0;
      if (windows.all > 1000) return windows;
      ghosts = call(1, ghosts ? with_ns : plain_ns, millisecond).has_value();
    }
    return windows;
  }

 private:
  GhostPolicy& policy_;
  std::int64_t now_ns_ = 0;
};

TEST(GhostPolicy, TakesTurnsInTheFirst64Windows) {
  GhostPolicy policy;
  Pattern pattern(policy);
  const Pattern::Windows windows = pattern.decide(100 * microsecond, 100 * microsecond);
  EXPECT_EQ(windows.all, 64);
  EXPECT_EQ(windows.with_ghosts, 32);
}

TEST(GhostPolicy, StaysOnWhereAtLeastTwoPercentAreGained) {
  GhostPolicy policy;
  Pattern pattern(policy);
  pattern.decide(100 * microsecond, 98 * microsecond);
  EXPECT_EQ(policy.verdict(), Verdict::on);
  EXPECT_DOUBLE_EQ(policy.median_ratio(), 0.98);
  for (int i = 0; i < 100; ++i) EXPECT_TRUE(pattern.call(1, 200 * microsecond, millisecond)) << i;
  EXPECT_EQ(policy.verdict(), Verdict::on);
}

TEST(GhostPolicy, SwitchesOffForGoodWhereLessIsGained) {
  GhostPolicy policy;
  Pattern pattern(policy);
  pattern.decide(100 * microsecond, 98 * microsecond + 1);
  EXPECT_EQ(policy.verdict(), Verdict::off);
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(pattern.call(1, microsecond, millisecond)) << i;
}

TEST(GhostPolicy, ComparesCallsOfTheSamePlaceAlone) {
  // Two places take turns, as windows with and without ghosts do. The calls after the first are ten times as long;
  // ghosts gain a tenth of each.
  GhostPolicy policy;
  Pattern pattern(policy);
  bool ghosts = false;
  for (int i = 0; i < 130; ++i) {
    const bool after_first = i % 2 == 1;
    const std::int64_t plain = after_first ? millisecond : 100 * microsecond;
    ghosts = pattern.call(after_first ? 2 : 1, ghosts ? plain / 10 * 9 : plain, millisecond).has_value();
  }
  EXPECT_EQ(policy.verdict(), Verdict::on);
  EXPECT_DOUBLE_EQ(policy.median_ratio(), 0.9);
}

TEST(GhostPolicy, AFewOutliersDecideNothing) {
  GhostPolicy policy;
  Pattern pattern(policy);
  bool ghosts = false;
  for (int i = 0; i < 100; ++i) {
    const std::int64_t plain = i % 7 == 0 ? 50 * millisecond : 100 * microsecond;
    ghosts = pattern.call(1, ghosts ? 90 * microsecond : plain, millisecond).has_value();
  }
  EXPECT_EQ(policy.verdict(), Verdict::on);
  EXPECT_DOUBLE_EQ(policy.median_ratio(), 0.9);
}

TEST(GhostPolicy, EndsAWindowShortlyBeforeTheExpectedCall) {
  GhostPolicy policy;
  Pattern pattern(policy);
  pattern.decide(100 * microsecond, 50 * microsecond);
  ASSERT_EQ(policy.verdict(), Verdict::on);
  EXPECT_EQ(pattern.call(1, 100 * microsecond, millisecond), 990 * microsecond);
  EXPECT_EQ(pattern.call(1, 100 * microsecond, 100 * millisecond), 100 * millisecond - 10 * microsecond);
}

TEST(GhostPolicy, EndsAWindowAfter100Milliseconds) {
  GhostPolicy policy;
  Pattern pattern(policy);
  pattern.decide(100 * microsecond, 50 * microsecond);
  ASSERT_EQ(policy.verdict(), Verdict::on);
  EXPECT_EQ(pattern.call(1, 100 * microsecond, 60'000 * millisecond), 100 * millisecond);
}

TEST(GhostPolicy, LeavesShortGapsAlone) {
  GhostPolicy policy;
  Pattern pattern(policy);
  pattern.decide(100 * microsecond, 50 * microsecond);
  ASSERT_EQ(policy.verdict(), Verdict::on);
  EXPECT_FALSE(pattern.call(1, 100 * microsecond, 20 * microsecond - 1));
  EXPECT_FALSE(pattern.call(1, 100 * microsecond, -5 * microsecond));
  EXPECT_EQ(pattern.call(1, 100 * microsecond, 20 * microsecond), 10 * microsecond);
}

TEST(GhostPolicy, WantsAPatternAndAForecast) {
  GhostPolicy policy;
  for (int i = 0; i < 200; ++i) {
    const std::int64_t left = i * millisecond;
    EXPECT_FALSE(policy.end_call({.place = 1, .locked = false, .left_ns = left, .expected_ns = left + millisecond}));
    EXPECT_FALSE(policy.end_call({.place = 1, .locked = true, .left_ns = left, .expected_ns = std::nullopt}));
  }
  EXPECT_EQ(policy.verdict(), Verdict::trying);
}

TEST(GhostPolicy, IgnoresCallsThatBreakThePatternOrAreElsewhere) {
  GhostPolicy policy;
  Pattern pattern(policy);
  const GhostPolicy::Call broken{.place = 9, .locked = false, .left_ns = 0, .duration_ns = 1, .expected_ns = 0};
  bool ghosts = false;
  for (int i = 0; i < 200; ++i) {
    // after a window with ghosts, what comes is another call or one on host memory: no pair is ever complete
    if (ghosts && i % 3 == 0) {
      EXPECT_FALSE(policy.end_call(broken));
    } else if (ghosts) {
      policy.skip_call();
    }
    ghosts = pattern.call(1, 100 * microsecond, millisecond).has_value();
  }
  EXPECT_TRUE(ghosts);
  EXPECT_EQ(policy.verdict(), Verdict::trying);
}

TEST(GhostPolicy, KeepsABoundedNumberOfPlaces) {
  GhostPolicy policy;
  Pattern pattern(policy);
  int with_ghosts = 0;
  for (std::uint64_t place = 0; place < 200; ++place) pattern.call(place, 100 * microsecond, millisecond);
  for (std::uint64_t place = 0; place < 200 && policy.verdict() == Verdict::trying; ++place)
    with_ghosts += pattern.call(place, 100 * microsecond, millisecond).has_value() ? 1 : 0;
  EXPECT_GE(with_ghosts, 32);  // those that have room complete the trial
  EXPECT_EQ(policy.verdict(), Verdict::off);
}

}  // namespace
}  // namespace airamp::pmpi
