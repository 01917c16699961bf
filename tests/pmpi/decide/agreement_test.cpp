// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/agreement.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

/// What one rank brings to an agreement, and what it gets.
struct Side {
  View view = compressed_view(1000);
  bool wanted = true;
  Circumstances circumstances;
  Consent consent = Consent::lost;
};

/// The ranks agree on what `set` has changed on each of them; every rank's side afterwards.
std::vector<Side> agreed(int ranks, const std::function<void(int rank, Side&)>& set) {
  std::vector<Side> sides(static_cast<std::size_t>(ranks));
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 3}, [&](int rank) {
    const AirampRank airamp(opted_in());
    CommunicatorState* const state = communicator_state(MPI_COMM_WORLD);
    ASSERT_NE(state, nullptr);
    Side& side = sides[static_cast<std::size_t>(rank)];
    set(rank, side);
    EXPECT_EQ(agree_on_view(MPI_COMM_WORLD, *state, side.view, side.wanted, side.circumstances, side.consent),
              MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
  return sides;
}

/// What all ranks found alike.
Consent consent_of(int ranks, const std::function<void(int rank, Side&)>& set) {
  const std::vector<Side> sides = agreed(ranks, set);
  for (const Side& side : sides) EXPECT_EQ(side.consent, sides.front().consent);
  return sides.front().consent;
}

/// The same, where rank 2 of 4 differs.
Consent consent_where_one_differs(const std::function<void(Side&)>& set) {
  return consent_of(4, [&](int rank, Side& side) {
    if (rank == 2) set(side);
  });
}

TEST(AgreementOnViews, AllConsentWhereAllSeeTheSame) {
  EXPECT_EQ(consent_of(2, [](int, Side&) {}), Consent::all);
  EXPECT_EQ(consent_of(7, [](int, Side&) {}), Consent::all);
}

TEST(AgreementOnViews, OneThatDiffersMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.lossy = false; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.type = gpu::DataType::float16; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.op = gpu::ReduceOp::max; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.lossless = true; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.memory = Memory::mixed; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.memory = Memory::device; }), Consent::none);
}

TEST(AgreementOnViews, OneThatIsNotAlignedMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.aligned = false; }), Consent::unaligned);
}

TEST(AgreementOnViews, OneOfAnotherLengthMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.view.bytes += 4; }), Consent::other_lengths);
}

TEST(AgreementOnViews, OneThatHasToTryTheOperationMakesItUndecided) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) {
              side.view.undecided = true;
              side.view.lossy = false;
            }),
            Consent::undecided);
}

TEST(AgreementOnViews, OneThatIsSwitchedOffSuspendsTheCall) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.wanted = false; }), Consent::suspended);
}

// The stronger says more: switched off, ineligible, not aligned, undecided.
TEST(AgreementOnViews, OfSeveralReasonsTheStrongestCounts) {
  const auto two = [](const std::function<void(Side&)>& first, const std::function<void(Side&)>& second) {
    return consent_of(3, [&](int rank, Side& side) {
      if (rank == 0) first(side);
      if (rank == 1) second(side);
    });
  };
  const auto off = [](Side& side) { side.wanted = false; };
  const auto ineligible = [](Side& side) { side.view.lossy = false; };
  const auto unaligned = [](Side& side) { side.view.aligned = false; };
  const auto undecided = [](Side& side) { side.view.undecided = true; };
  EXPECT_EQ(two(off, ineligible), Consent::suspended);
  EXPECT_EQ(two(undecided, off), Consent::suspended);
  EXPECT_EQ(two(ineligible, unaligned), Consent::none);
  EXPECT_EQ(two(undecided, ineligible), Consent::none);
  EXPECT_EQ(two(undecided, unaligned), Consent::unaligned);
}

TEST(AgreementOnViews, ManagedMemoryOfOneIsThatOfAll) {
  const std::vector<Side> sides = agreed(3, [](int rank, Side& side) {
    side.view.lossless = true;
    side.view.memory = rank == 1 ? Memory::managed : Memory::device;
  });
  for (const Side& side : sides) {
    EXPECT_EQ(side.consent, Consent::all);
    EXPECT_EQ(side.view.memory, Memory::managed);
  }
}

TEST(AgreementOnViews, BuffersRecurWhereAllDo) {
  for (const Side& side : agreed(3, [](int, Side& each) { each.circumstances.recurs = true; })) {
    EXPECT_TRUE(side.circumstances.recurs);
  }
  for (const Side& side : agreed(3, [](int rank, Side&each) { each.circumstances.recurs = rank != 1; })) {
    EXPECT_FALSE(side.circumstances.recurs);
  }
}

TEST(AgreementOnViews, KnowledgeCountsWhereAllHaveTheSame) {
  for (const Side& side : agreed(3, [](int, Side& each) { each.circumstances.known = 0xfedcba9876543210U; })) {
    EXPECT_EQ(side.circumstances.known, 0xfedcba9876543210U);
  }
  for (const Side& side : agreed(3, [](int rank, Side&each) { each.circumstances.known = rank == 2 ? 0 : 77; })) {
    EXPECT_EQ(side.circumstances.known, 0U);
  }
  for (const Side& side : agreed(2, [](int rank, Side&each) { each.circumstances.known = rank == 0 ? 80 : 77; })) {
    EXPECT_EQ(side.circumstances.known, 0U);
  }
}

TEST(AgreementOnViews, IsOneSmallReductionWhateverTheNumberOfRanks) {
  constexpr int ranks = 1024;
  std::vector<Consent> consents(ranks, Consent::lost);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    CommunicatorState state;
    state.rank = rank;
    state.size = ranks;
    View view = compressed_view(1000);
    Circumstances circumstances;
    Consent& own = consents[static_cast<std::size_t>(rank)];
    EXPECT_EQ(agree_on_view(MPI_COMM_WORLD, state, view, rank != 1000, circumstances, own), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_THAT(consents, ::testing::Each(Consent::suspended));
  for (const auto& calls : outcome.calls) EXPECT_EQ(calls, (std::map<std::string, int>{{"Allreduce", 1}}));
}

TEST(AgreementOnViews, ErrorsOfMpiAreReturned) {
  const Outcome outcome =
      run_ranks({.ranks = 2, .failures = {{.function = "Allreduce", .rank = 0, .code = MPI_ERR_NO_MEM}}}, [](int rank) {
        CommunicatorState state;
        state.size = 2;
        View view = compressed_view(1000);
        Circumstances circumstances;
        Consent consent = Consent::all;
        const int error = agree_on_view(MPI_COMM_WORLD, state, view, true, circumstances, consent);
        EXPECT_EQ(error == MPI_ERR_NO_MEM, rank == 0);
        EXPECT_NE(error, MPI_SUCCESS);
      });
  EXPECT_TRUE(outcome.ended);
}

}  // namespace
}  // namespace airamp::pmpi
