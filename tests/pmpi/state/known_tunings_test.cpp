// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/known_tunings.hpp"

#include <gmock/gmock.h>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::set_costs;
constexpr std::size_t elements = 2000;

MPI_Comm duplicate() {
  MPI_Comm comm = MPI_COMM_NULL;
  EXPECT_EQ(native().Comm_dup(MPI_COMM_WORLD, &comm), MPI_SUCCESS);
  return comm;
}

void call(MPI_Comm comm, int rank, int times) {
  for (int i = 0; i < times; ++i) {
    std::vector<float> values = contribution(rank, elements);
    EXPECT_EQ(allreduce(values, comm), MPI_SUCCESS);
  }
}

TEST(KnownTunings, LaterCommunicatorsOfTheSameRanksGoOnFromThere) {
  const Outcome outcome = run_ranks({.ranks = 3, .seed = 6}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs({.collective_seconds = 1});
    MPI_Comm first = duplicate();
    call(first, rank, 6);
    ASSERT_NE(only_signature(first), nullptr);
    EXPECT_EQ(only_signature(first)->tuner.choice(), 0);
    end_communicator_state(first);
    native().MPI_Comm_free(&first);
    MPI_Comm second = duplicate();
    call(second, rank, 2);
    ASSERT_NE(only_signature(second), nullptr);
    EXPECT_EQ(only_signature(second)->tuner.choice(), 0);
    EXPECT_EQ(only_signature(second)->accelerated_calls, 2U);
    end_communicator_state(second);
    native().MPI_Comm_free(&second);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Another group of ranks, in which one rank alone knows more: nobody relies on it.
TEST(KnownTunings, OtherRanksBeginAnew) {
  const Outcome outcome = run_ranks({.ranks = 4, .seed = 6}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs({.collective_seconds = 1});
    MPI_Comm part = MPI_COMM_NULL;
    native().Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, rank, &part);
    if (rank < 2) call(part, rank, 6);
    native().MPI_Barrier(MPI_COMM_WORLD);
    call(MPI_COMM_WORLD, rank, 1);
    ASSERT_NE(only_signature(), nullptr);
    EXPECT_FALSE(only_signature()->tuner.decided());
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(KnownTunings, WhatOneRankHasForgottenNoneUses) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = 6}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs({.collective_seconds = 1});
    MPI_Comm first = duplicate();
    call(first, rank, 6);
    if (rank == 1) {  // as on a rank that had no memory for it
      CommunicatorState& state = *communicator_state(first);
      SignatureState& signature = *only_signature(first);
      signature.tuner = tuner::SignatureTuner({}, signature.candidates.size());
      remember_tuning(state, state.signatures.begin()->first, signature);
    }
    MPI_Comm second = duplicate();
    call(second, rank, 1);
    EXPECT_FALSE(only_signature(second)->tuner.decided());
    EXPECT_EQ(only_signature(second)->accelerated_calls, 0U);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(KnownTunings, AnImposedPathTeachesNothing) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    call(MPI_COMM_WORLD, rank, 2);
    CommunicatorState& state = *communicator_state(MPI_COMM_WORLD);
    EXPECT_FALSE(known_tuning(state, state.signatures.begin()->first).has_value());
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
