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
  const Shortcut first{.signature = &signature};
  const Shortcut second{.signature = &signature};
  Footprint footprint;
  EXPECT_FALSE(footprint.is_of(first));
  footprint.remember(state, first, &signature);
  EXPECT_TRUE(footprint.is_of(first));
  footprint.remember(state, second, &signature);
  EXPECT_FALSE(footprint.is_of(first));
  EXPECT_TRUE(footprint.is_of(second));
}

// Communicators are freed, and nobody goes through the footprints of their calls.
TEST(Footprint, MayBeFollowedToWhatIsGone) {
  auto signature = std::make_unique<SignatureState>(tuner::TuningRules{}, CandidateList{});
  auto state = std::make_unique<CommunicatorState>();
  auto shortcut = std::make_unique<Shortcut>(Shortcut{.signature = signature.get()});
  Footprint footprint;
  footprint.fetch();
  footprint.remember(*state, *shortcut, signature.get());
  const Shortcut* const gone = shortcut.get();
  shortcut.reset();
  state.reset();
  signature.reset();
  footprint.fetch();
  EXPECT_TRUE(footprint.is_of(*gone));
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
    const Shortcut* const known = shortcut_of(*find_communicator_state(MPI_COMM_WORLD), barrier);
    ASSERT_NE(known, nullptr);
    found += footprints.of(MPI_COMM_WORLD, *barrier.arguments()).is_of(*known) ? 1 : 0;
  });
  EXPECT_GE(found, 1);
}

}  // namespace
}  // namespace airamp::pmpi
