// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/wait_pauses.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace airamp::pmpi {
namespace {

/// For how many calls nobody waits after one in vain.
std::uint64_t pause_after(WaitPauses& pauses, std::uint64_t call) {
  pauses.waited_in_vain(call);
  std::uint64_t paused = 1;
  while (!pauses.may_wait(call + paused)) ++paused;
  return paused;
}

TEST(WaitPauses, DoubleFromWaitToWaitInVain) {
  WaitPauses pauses;
  EXPECT_TRUE(pauses.may_wait(1));
  EXPECT_EQ(pause_after(pauses, 1), 16U);
  EXPECT_EQ(pause_after(pauses, 17), 32U);
  EXPECT_EQ(pause_after(pauses, 49), 64U);
}

// A processor that is taken away now and then is late as often as it is in time.
TEST(WaitPauses, StayShortWhereOthersAreMostlyInTime) {
  WaitPauses pauses;
  for (std::uint64_t call = 1; call < 100000; call += 1000) {
    EXPECT_EQ(pause_after(pauses, call), 16U);
    pauses.waited_in_time();
    pauses.waited_in_time();
  }
}

TEST(WaitPauses, EndAtSomeTime) {
  WaitPauses pauses;
  for (int i = 0; i < 1000; ++i) pauses.waited_in_vain(1);
  EXPECT_FALSE(pauses.may_wait(std::uint64_t{1} << 40U));
  EXPECT_TRUE(pauses.may_wait(std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace
}  // namespace airamp::pmpi
