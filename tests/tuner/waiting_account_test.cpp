// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/waiting_account.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace airamp::tuner {
namespace {

constexpr double usual = 50e-6;
constexpr double microsecond = 1e-6;

/// A rank in a program whose steps take the same time each, as far as calls of one kind are carried or native.
struct Program {
  double carried_step;
  double native_step;
  double gain;
  double held_up;
  WaitingAccount account{};
  double now = 0;

  /// One step with a carried call. What the rank would have waited for in it.
  double carry() {
    const double patience = account.patience(usual);
    now += carried_step;
    account.count(gain, held_up, [this] { return now; });
    return patience;
  }

  /// Carried calls until the rank waits no more, which comes soon or not at all.
  int carry_until_tired() {
    constexpr int many = 1000000;
    int calls = 0;
    while (calls < many && carry() > 0) ++calls;
    return calls;
  }

  void run_native(int calls) {
    for (int i = 0; i < calls; ++i) {
      now += native_step;
      account.count_native([this] { return now; });
    }
  }

  /// A closed meeting, and so many calls that are native.
  void stay_native(int calls) {
    account.close(now);
    run_native(calls);
  }
};

TEST(WaitingAccount, WaitsAsUsualAtFirst) {
  WaitingAccount account;
  EXPECT_DOUBLE_EQ(account.patience(usual), usual);
}

TEST(WaitingAccount, WaitsForEverWhereItDoesNatively) {
  WaitingAccount account;
  constexpr double endless = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(account.patience(endless), endless);
    account.count(microsecond, 0, [] { return 0.0; });
  }
}

TEST(WaitingAccount, WaitsForLongerOnceCallsHaveGained) {
  Program program{.carried_step = 100e-6, .native_step = 110e-6, .gain = 10e-6, .held_up = 0};
  program.carry();
  EXPECT_DOUBLE_EQ(program.account.patience(usual), usual + 5e-6);
  for (int i = 0; i < 250; ++i) program.carry();
  EXPECT_DOUBLE_EQ(program.account.patience(usual), usual + 1e-3) << "no longer than an operating system's turn";
}

TEST(WaitingAccount, WaitsNoMoreOnceItWasHeldUpForLongerThanItMay) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  const double allowance = 4 * usual;
  EXPECT_EQ(program.carry_until_tired(), static_cast<int>(std::floor(allowance / 10e-6)) + 1);
  EXPECT_EQ(program.account.patience(usual), 0);
}

TEST(WaitingAccount, IsHeldUpForAsMuchAsCallsGain) {
  Program program{.carried_step = 100e-6, .native_step = 110e-6, .gain = 11e-6, .held_up = 10e-6};
  for (int i = 0; i < 200; ++i) EXPECT_GT(program.carry(), 0);
}

TEST(WaitingAccount, WaitsAgainBehindAClosedMeeting) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = 0, .held_up = 10e-6};
  program.carry_until_tired();
  program.stay_native(16);
  program.carry();
  EXPECT_DOUBLE_EQ(program.account.patience(usual), usual);
}

TEST(WaitingAccount, FindsThatStepsTakeLonger) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  program.carry_until_tired();
  EXPECT_FALSE(program.account.is_refuted());
  program.stay_native(16);
  program.carry();
  EXPECT_TRUE(program.account.is_refuted());
}

constexpr int native_calls_first = 48;

TEST(WaitingAccount, ComparesWhereTheFirstNativeStepsWereMuchShorter) {
  Program program{.carried_step = 15e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  program.run_native(native_calls_first);
  EXPECT_LT(program.carry_until_tired(), 150) << "though it is never held up";
  program.stay_native(16);
  program.carry();
  EXPECT_TRUE(program.account.is_refuted());
}

TEST(WaitingAccount, DoesNotCompareWhereTheFirstNativeStepsWereALittleShorter) {
  Program program{.carried_step = 12e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  program.run_native(native_calls_first);
  for (int i = 0; i < 10000; ++i) ASSERT_GT(program.carry(), 0);
}

TEST(WaitingAccount, DoesNotCompareWhereTheProgramDoesOtherThingsInItsFirstSteps) {
  Program program{.carried_step = 1000e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  program.run_native(native_calls_first);
  for (int i = 0; i < 10000; ++i) ASSERT_GT(program.carry(), 0);
}

TEST(WaitingAccount, LooksAtTheFirstNativeStepsOnce) {
  Program program{.carried_step = 15e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  program.run_native(native_calls_first);
  program.carry_until_tired();
  program.native_step = 15e-6;  // it was another part of the program
  program.stay_native(200);
  for (int i = 0; i < 10000; ++i) ASSERT_GT(program.carry(), 0);
  EXPECT_FALSE(program.account.is_refuted());
}

TEST(WaitingAccount, ComparesWhereARankWaitsForEver) {
  Program program{.carried_step = 15e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  const auto carry = [&] {
    ASSERT_TRUE(std::isinf(program.account.patience(std::numeric_limits<double>::infinity())));
    program.now += program.carried_step;
    program.account.count(program.gain, 0, [&] { return program.now; });
  };
  program.run_native(200);
  for (int i = 0; i < 200; ++i) carry();
  program.stay_native(200);
  carry();
  EXPECT_TRUE(program.account.is_refuted());
}

TEST(WaitingAccount, CountsNoMoreThanTheFirstNativeSteps) {
  Program program{.carried_step = 15e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  EXPECT_TRUE(program.account.is_native());
  program.run_native(200);
  EXPECT_FALSE(program.account.is_native());
  EXPECT_LT(program.carry_until_tired(), 150) << "and knows how long they took";
}

TEST(WaitingAccount, RestsWhileNativeStepsAreShorterThanCarriedCalls) {
  Program program{.carried_step = 3e-6, .native_step = 0.5e-6, .gain = 20e-6, .held_up = 0};
  program.account = WaitingAccount(microsecond);
  program.run_native(native_calls_first);
  EXPECT_TRUE(program.account.rests());
  program.run_native(10000);
  EXPECT_TRUE(program.account.rests());
  program.native_step = 20e-6;
  program.run_native(2000);
  EXPECT_FALSE(program.account.rests()) << "now they are longer";
  program.stay_native(native_calls_first);
  EXPECT_FALSE(program.account.rests());
  program.native_step = 0.5e-6;
  program.stay_native(native_calls_first);
  EXPECT_TRUE(program.account.rests()) << "behind a closed meeting as well";
}

TEST(WaitingAccount, DoesNotRestWhereShortStepsAreBurstsOfARank) {
  Program program{.carried_step = 3e-6, .native_step = 0.1e-6, .gain = 20e-6, .held_up = 0};
  program.account = WaitingAccount(microsecond);
  for (int burst = 0; burst < 20; ++burst) {
    program.run_native(20);
    program.now += 100e-6;
  }
  EXPECT_FALSE(program.account.rests());
}

TEST(WaitingAccount, CountsWhatStepsWereFoundToLoseWhileItTriesThemAgain) {
  Program program{.carried_step = 17e-6, .native_step = 10e-6, .gain = 20e-6, .held_up = 0};
  program.run_native(native_calls_first);
  program.carry_until_tired();
  program.stay_native(16);
  const double allowance = 4 * usual;
  const double lost = program.carried_step - program.native_step;
  EXPECT_EQ(program.carry_until_tired(), static_cast<int>(std::floor(allowance / lost)) + 1);
}

TEST(WaitingAccount, RestsForLongerEachTimeThatStepsTakeLonger) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  EXPECT_FALSE(program.account.rests());
  program.carry_until_tired();
  program.stay_native(16);
  EXPECT_FALSE(program.account.rests()) << "nothing is known yet";
  int before = 16;
  for (int i = 0; i < 6; ++i) {
    program.carry_until_tired();
    program.stay_native(0);
    int calls = 0;
    for (; program.account.rests(); ++calls) program.run_native(1);
    EXPECT_GE(calls, 2 * before);
    EXPECT_LE(calls, 100000);
    before = calls;
  }
}

TEST(WaitingAccount, RestsNoMoreOnceStepsTakeNoLonger) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  const auto close = [&] {
    program.carry_until_tired();
    program.stay_native(0);
    const bool rests = program.account.rests();
    program.stay_native(16);
    return rests;
  };
  EXPECT_FALSE(close());
  EXPECT_TRUE(close());
  program.carried_step = 100e-6;
  constexpr int enough = 16;  // for the latest steps to be such
  for (int i = 0; i < enough; ++i) close();
  EXPECT_FALSE(close());
}

TEST(WaitingAccount, CountsNoGainWhereStepsTakeLonger) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  program.carry_until_tired();
  program.stay_native(16);
  program.gain = 100e-6;
  const double allowance = 4 * usual;
  EXPECT_EQ(program.carry_until_tired(), static_cast<int>(std::floor(allowance / program.held_up)) + 1)
      << "whatever is said of it";
}

TEST(WaitingAccount, LooksAtTheLatestOfManyCalls) {
  Program program{.carried_step = 50e-6, .native_step = 110e-6, .gain = 12e-6, .held_up = 11e-6};
  for (int i = 0; i < 10000; ++i) ASSERT_GT(program.carry(), 0);
  program.carried_step = 120e-6;
  for (int i = 0; i < 600; ++i) ASSERT_GT(program.carry(), 0);
  program.stay_native(16);
  program.carry();
  EXPECT_TRUE(program.account.is_refuted());
}

TEST(WaitingAccount, ComparesEverMoreRarelyWhereStepsDoNotTakeLonger) {
  // What the rank waits for here it would have waited for in some later call.
  Program program{.carried_step = 100e-6, .native_step = 101e-6, .gain = microsecond, .held_up = 11e-6};
  int before = program.carry_until_tired();
  for (int i = 0; i < 3; ++i) {
    program.stay_native(16);
    const int calls = program.carry_until_tired();
    EXPECT_FALSE(program.account.is_refuted());
    EXPECT_GT(calls, 7 * before);
    before = calls;
  }
}

TEST(WaitingAccount, LearnsFromLaterStepsThatTakeNoLonger) {
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = microsecond, .held_up = 11e-6};
  program.carry_until_tired();
  program.stay_native(16);
  program.carry_until_tired();
  ASSERT_TRUE(program.account.is_refuted());
  program.carried_step = program.native_step = 110e-6;
  for (int round = 0; round < 8; ++round) {
    program.stay_native(16);
    program.carry_until_tired();
  }
  EXPECT_FALSE(program.account.is_refuted());
}

TEST(WaitingAccount, SaysNothingOfTooFewCalls) {
  Program program{.carried_step = 220e-6, .native_step = 110e-6, .gain = 0, .held_up = 60e-6};
  EXPECT_LT(program.carry_until_tired(), 16);
  program.stay_native(16);
  program.carry();
  EXPECT_FALSE(program.account.is_refuted()) << "too few carried ones";

  Program other{.carried_step = 120e-6, .native_step = 110e-6, .gain = 0, .held_up = 11e-6};
  other.carry_until_tired();
  other.stay_native(15);
  other.carry();
  EXPECT_FALSE(other.account.is_refuted()) << "too few native ones";
}

TEST(WaitingAccount, ForgetsStepsOfLongAgo) {
  Program program{.carried_step = 120e-6, .native_step = 500e-6, .gain = 0, .held_up = 11e-6};
  program.carry_until_tired();
  program.stay_native(16);
  program.native_step = 110e-6;
  program.stay_native(200);
  program.carry();
  EXPECT_TRUE(program.account.is_refuted());
}

TEST(WaitingAccount, LooksAtStepsWithoutThePausesOfAProgram) {
  constexpr double pause = 10e-3;
  Program program{.carried_step = 120e-6, .native_step = 110e-6, .gain = 0, .held_up = 5e-6};
  program.carry_until_tired();
  program.stay_native(16);
  program.now += pause;
  program.stay_native(16);
  program.carry();
  EXPECT_TRUE(program.account.is_refuted()) << "a pause while calls were native";

  Program other{.carried_step = 100e-6, .native_step = 110e-6, .gain = 0, .held_up = 5e-6};
  other.carry();
  other.now += pause;
  other.carry_until_tired();
  other.stay_native(16);
  other.carry();
  EXPECT_FALSE(other.account.is_refuted()) << "a pause while calls were carried";
}

}  // namespace
}  // namespace airamp::tuner
