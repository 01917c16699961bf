// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/spin.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

/// Turns until the first that has other things looked after.
int turns_alone(bool own_core) {
  Spin::set_own_core(own_core);
  Spin spin;
  int turns = 1;
  while (!spin.once()) ++turns;
  return turns;
}

/// Puts back what a process begins with.
class SpinTest : public ::testing::Test {
 protected:
  void TearDown() override { Spin::set_own_core(false); }
};

TEST_F(SpinTest, WithACoreOfItsOwnWaitsWithPausesBeforeItLooksAfterOtherThings) {
  Spin::set_own_core(true);
  Spin spin;
  while (!spin.has_paused()) EXPECT_FALSE(spin.once());
  EXPECT_FALSE(spin.once());
  EXPECT_GT(turns_alone(true), 2 * turns_alone(false));
}

TEST_F(SpinTest, WithoutOneLeavesTheCoreInEveryTurnAsSoonAsItWouldPause) {
  Spin::set_own_core(false);
  Spin spin;
  while (!spin.has_paused()) {
    const bool left = spin.once();
    EXPECT_EQ(left, spin.has_paused());
  }
  for (int turn = 0; turn < 5; ++turn) EXPECT_TRUE(spin.once());
}

}  // namespace
}  // namespace airamp::pmpi
