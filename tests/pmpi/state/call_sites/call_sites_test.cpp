// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/call_sites/call_sites.hpp"

#include <gtest/gtest.h>

namespace airamp::pmpi {
namespace {

// AIRamp is a part of this program's file, and leaves itself out: all calls come from other places.
TEST(CallSites, AddUpCallsByFunction) {
  CallSites sites(2);
  sites.note(Function::MPI_Allreduce, 8, 10);
  sites.note(Function::MPI_Bcast, 100, 50);
  sites.note(Function::MPI_Allreduce, 16, 20);
  const auto found = sites.most_expensive(5);
  ASSERT_EQ(found.size(), 2);
  EXPECT_EQ(found[0].first.function, Function::MPI_Bcast);
  EXPECT_EQ(found[1].first.function, Function::MPI_Allreduce);
  EXPECT_EQ(found[1].second.calls, 2);
  EXPECT_EQ(found[1].second.bytes, 24);
  EXPECT_EQ(found[1].second.ticks, 30);
  EXPECT_EQ(found[1].first.frames[0], nullptr);
}

TEST(CallSites, GiveAsManyAsAreWanted) {
  CallSites sites(1);
  for (const Function function : {Function::MPI_Allreduce, Function::MPI_Bcast, Function::MPI_Barrier})
    sites.note(function, 0, 1);
  EXPECT_EQ(sites.most_expensive(2).size(), 2);
}

}  // namespace
}  // namespace airamp::pmpi
