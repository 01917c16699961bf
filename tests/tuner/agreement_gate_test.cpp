// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "tuner/agreement_gate.hpp"

#include <gtest/gtest.h>

namespace airamp::tuner {
namespace {

/// Calls until the gate opens.
std::uint64_t pause_of(AgreementGate& gate) {
  std::uint64_t calls = 0;
  while (!gate.open()) ++calls;
  return calls;
}

TEST(AgreementGate, OpensForTheFirstCall) {
  AgreementGate gate;
  EXPECT_TRUE(gate.open());
  EXPECT_EQ(gate.skipped(), 0U);
}

TEST(AgreementGate, IsPausedUntilItWouldOpen) {
  AgreementGate gate;
  EXPECT_FALSE(gate.is_paused());
  gate.pause(2);
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(gate.is_paused());
    EXPECT_FALSE(gate.open());
  }
  EXPECT_FALSE(gate.is_paused());
}

TEST(AgreementGate, StaysOpenWhileAgreementsAreUseful) {
  AgreementGate gate;
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(gate.open());
    gate.keep_asking();
  }
}

TEST(AgreementGate, PausesTwiceAsLongAfterEachUselessAgreementUpToALimit) {
  AgreementGate gate;
  std::uint64_t expected = 1;
  for (int i = 0; i < 12; ++i) {
    gate.back_off();
    EXPECT_EQ(pause_of(gate), expected);
    EXPECT_EQ(gate.skipped(), expected);
    expected = std::min<std::uint64_t>(2 * expected, 256);
  }
}

TEST(AgreementGate, ForgetsItsPauseAfterAUsefulAgreement) {
  AgreementGate gate;
  gate.back_off();
  gate.back_off();
  pause_of(gate);
  gate.keep_asking();
  EXPECT_TRUE(gate.open());
  gate.back_off();
  EXPECT_EQ(pause_of(gate), 1U);
}

TEST(AgreementGate, PausesForSoManyCallsAndThenGoesOnAsBefore) {
  AgreementGate gate;
  gate.back_off();
  pause_of(gate);
  gate.pause(1000);
  EXPECT_EQ(pause_of(gate), 1000U);
  EXPECT_EQ(gate.skipped(), 1000U);
  gate.back_off();
  EXPECT_EQ(pause_of(gate), 2U);
}

TEST(AgreementGate, PausesOnlyWhenItsPatienceIsAtAnEnd) {
  constexpr Patience patience{.answers = 3, .longest_pause = 4};
  AgreementGate gate;
  for (int round = 0; round < 2; ++round) {
    for (const std::uint64_t expected : {0, 0, 0, 1, 2, 4, 4, 4}) {
      gate.back_off(patience);
      EXPECT_EQ(pause_of(gate), expected);
    }
    gate.keep_asking();
  }
}

}  // namespace
}  // namespace airamp::tuner
