// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/footprints.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <optional>

#include "pmpi/call/barrier_call.hpp"
#include "pmpi/decide/shortcut.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"

namespace airamp::pmpi {
namespace {

TEST(Footprint, IsThatOfTheLatestCall) {
  const CommunicatorState state;
  SignatureState signature({}, {});
  SignatureState other_signature({}, {});
  Shortcut first{.signature = &signature};
  const Shortcut second{.signature = &signature};
  const int exchange = 0;
  const int other_exchange = 0;
  Footprint footprint;
  EXPECT_FALSE(footprint.is_of(state, first, &exchange));
  footprint.remember(state, first, &exchange);
  EXPECT_TRUE(footprint.is_of(state, first, &exchange));
  EXPECT_FALSE(footprint.is_of(state, first, &other_exchange));
  footprint.remember(state, second, &other_exchange);
  EXPECT_FALSE(footprint.is_of(state, first, &other_exchange));
  EXPECT_TRUE(footprint.is_of(state, second, &other_exchange));

  footprint.remember(state, first, &exchange);
  first.signature = &other_signature;  // its place is another call's now
  EXPECT_FALSE(footprint.is_of(state, first, &exchange));
  footprint.remember(state, first, &exchange);
  EXPECT_TRUE(footprint.is_of(state, first, &exchange));
}

// Communicators are freed, and nobody goes through the footprints of their calls.
TEST(Footprint, MayBeFollowedToWhatIsGone) {
  Footprint footprint;
  footprint.fetch();
  {
    SignatureState signature({}, {});
    const auto state = std::make_unique<CommunicatorState>();
    const auto shortcut = std::make_unique<Shortcut>(Shortcut{.signature = &signature});
    footprint.remember(*state, *shortcut, &signature);
    EXPECT_TRUE(footprint.is_of(*state, *shortcut, &signature));
  }
  footprint.fetch();
}

TEST(Footprints, AreApartByCommunicatorAndArguments) {
  const CallArguments barrier{.kind = Kind::barrier};
  CallArguments sum{.kind = Kind::allreduce, .count = 1};
  while (Shortcuts::place_of(sum) == Shortcuts::place_of(barrier)) ++sum.count;
  Footprints each;
  EXPECT_EQ(&each.of(MPI_COMM_WORLD, sum), &each.of(MPI_COMM_WORLD, sum));
  EXPECT_NE(&each.of(MPI_COMM_WORLD, sum), &each.of(MPI_COMM_WORLD, barrier));
  if (place_of(MPI_COMM_WORLD) != place_of(MPI_COMM_SELF)) {
    EXPECT_NE(&each.of(MPI_COMM_WORLD, sum), &each.of(MPI_COMM_SELF, sum));
  }
}

// The ranks are threads of one process here: the footprint is that of the one that was the last.
TEST(Footprints, AreLeftByCallsThatAreBrief) {
  std::atomic<int> found{0};
  in_forced_ranks(3, [&](int /*rank*/) {
    for (int call = 0; call < 20; ++call) ASSERT_EQ(on_MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    const BarrierCall barrier(MPI_COMM_WORLD);
    CommunicatorState& state = *find_communicator_state(MPI_COMM_WORLD);
    const Shortcut* const known = shortcut_of(state, barrier);
    ASSERT_NE(known, nullptr);
    const Footprint& footprint = footprints.of(MPI_COMM_WORLD, *barrier.arguments());
    found += footprint.is_of(state, *known, known->brief.meeting) ? 1 : 0;
  });
  EXPECT_GE(found, 1);
}

}  // namespace
}  // namespace airamp::pmpi
