// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/agreement.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

/// What one rank brings to an agreement, and what it gets.
struct Side {
  LocalFacts facts = compressed_facts(1000);
  bool wanted = true;
  bool recurs = false;
  std::uint64_t known = 0;
  Agreement agreement{.consent = Consent::lost};
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
    const Result<Agreement> agreement =
        agree_on({.facts = side.facts, .wanted = side.wanted, .recurs = side.recurs, .known = side.known}, *state);
    ASSERT_TRUE(agreement.ok());
    side.agreement = *agreement;
  });
  EXPECT_EQ(outcome.trouble, "");
  return sides;
}

/// What all ranks found alike.
Consent consent_of(int ranks, const std::function<void(int rank, Side&)>& set) {
  const std::vector<Side> sides = agreed(ranks, set);
  for (const Side& side : sides) EXPECT_EQ(side.agreement.consent, sides.front().agreement.consent);
  return sides.front().agreement.consent;
}

/// The same, where rank 2 of 4 differs.
Consent consent_where_one_differs(const std::function<void(Side&)>& set) {
  return consent_of(4, [&](int rank, Side& side) {
    if (rank == 2) set(side);
  });
}

TEST(AgreementOnFacts, AllConsentWhereAllSeeTheSame) {
  EXPECT_EQ(consent_of(2, [](int, Side&) {}), Consent::all);
  EXPECT_EQ(consent_of(7, [](int, Side&) {}), Consent::all);
}

TEST(AgreementOnFacts, OneThatDiffersMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.lossy = false; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.type = DataType::float16; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.op = ReduceOp::max; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.lossless = true; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.memory = Memory::mixed; }), Consent::none);
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.memory = Memory::device; }), Consent::none);
}

TEST(AgreementOnFacts, OneThatIsNotAlignedMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.aligned = false; }), Consent::unaligned);
}

TEST(AgreementOnFacts, OneOfAnotherLengthMakesItNative) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.facts.bytes += 4; }), Consent::other_lengths);
}

TEST(AgreementOnFacts, OneThatHasToTryTheOperationMakesItUndecided) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) {
              side.facts.undecided = true;
              side.facts.lossy = false;
            }),
            Consent::undecided);
}

TEST(AgreementOnFacts, OneThatIsSwitchedOffSuspendsTheCall) {
  EXPECT_EQ(consent_where_one_differs([](Side& side) { side.wanted = false; }), Consent::suspended);
}

// The stronger says more: switched off, ineligible, not aligned, undecided.
TEST(AgreementOnFacts, OfSeveralReasonsTheStrongestCounts) {
  const auto two = [](const std::function<void(Side&)>& first, const std::function<void(Side&)>& second) {
    return consent_of(3, [&](int rank, Side& side) {
      if (rank == 0) first(side);
      if (rank == 1) second(side);
    });
  };
  const auto off = [](Side& side) { side.wanted = false; };
  const auto ineligible = [](Side& side) { side.facts.lossy = false; };
  const auto unaligned = [](Side& side) { side.facts.aligned = false; };
  const auto undecided = [](Side& side) { side.facts.undecided = true; };
  EXPECT_EQ(two(off, ineligible), Consent::suspended);
  EXPECT_EQ(two(undecided, off), Consent::suspended);
  EXPECT_EQ(two(ineligible, unaligned), Consent::none);
  EXPECT_EQ(two(undecided, ineligible), Consent::none);
  EXPECT_EQ(two(undecided, unaligned), Consent::unaligned);
}

TEST(AgreementOnFacts, ManagedMemoryOfOneIsThatOfAll) {
  const std::vector<Side> sides = agreed(3, [](int rank, Side& side) {
    side.facts.lossless = true;
    side.facts.memory = rank == 1 ? Memory::managed : Memory::device;
  });
  for (const Side& side : sides) {
    EXPECT_EQ(side.agreement.consent, Consent::all);
    EXPECT_TRUE(side.agreement.managed);
  }
}

TEST(AgreementOnFacts, BuffersRecurWhereAllDo) {
  for (const Side& side : agreed(3, [](int, Side& each) { each.recurs = true; })) {
    EXPECT_TRUE(side.agreement.recurs);
  }
  for (const Side& side : agreed(3, [](int rank, Side&each) { each.recurs = rank != 1; })) {
    EXPECT_FALSE(side.agreement.recurs);
  }
}

TEST(AgreementOnFacts, KnowledgeCountsWhereAllHaveTheSame) {
  for (const Side& side : agreed(3, [](int, Side& each) { each.known = 0xfedcba9876543210U; })) {
    EXPECT_EQ(side.agreement.known, 0xfedcba9876543210U);
  }
  for (const Side& side : agreed(3, [](int rank, Side&each) { each.known = rank == 2 ? 0 : 77; })) {
    EXPECT_EQ(side.agreement.known, 0U);
  }
  for (const Side& side : agreed(2, [](int rank, Side&each) { each.known = rank == 0 ? 80 : 77; })) {
    EXPECT_EQ(side.agreement.known, 0U);
  }
}

// By a message, and where the ranks meet in the memory of their host.
TEST(AgreementOnFacts, TheGreatestLengthCountsWhereRanksMayHaveAny) {
  for (const bool in_memory : {false, true}) {
    const Outcome outcome = run_ranks({.ranks = 3, .shared_memory = in_memory}, [&](int rank) {
      const AirampRank airamp(opted_in());
      CommunicatorState* const state = communicator_state(MPI_COMM_WORLD);
      ASSERT_NE(state, nullptr);
      if (in_memory) {
        auto group = HostGroup::create({MPI_COMM_WORLD, rank}, rank, 3);
        ASSERT_TRUE(group.ok());
        state->resources.host.made = std::move(group->made);
        ASSERT_NE(state->resources.meeting(), nullptr);
      }
      LocalFacts facts = compressed_facts(1000);
      facts.bytes = rank == 1 ? std::uint64_t{3} << 32U : static_cast<std::uint64_t>(rank);
      const Result<Agreement> any = agree_on({.facts = facts, .any_length = true}, *state);
      ASSERT_TRUE(any.ok());
      EXPECT_EQ(any->consent, Consent::all);
      EXPECT_EQ(any->bytes, std::uint64_t{3} << 32U);
      const Result<Agreement> one = agree_on({.facts = facts}, *state);
      ASSERT_TRUE(one.ok());
      EXPECT_EQ(one->consent, Consent::other_lengths);
    });
    EXPECT_EQ(outcome.trouble, "");
  }
}

TEST(AgreementOnFacts, IsOneSmallReductionWhateverTheNumberOfRanks) {
  constexpr int ranks = 1024;
  std::vector<Consent> consents(ranks, Consent::lost);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    CommunicatorState state;
    state.comm = MPI_COMM_WORLD;
    state.rank = rank;
    state.size = ranks;
    const LocalFacts facts = compressed_facts(1000);
    const Result<Agreement> agreement = agree_on({.facts = facts, .wanted = rank != 1000}, state);
    ASSERT_TRUE(agreement.ok());
    consents[static_cast<std::size_t>(rank)] = agreement->consent;
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_THAT(consents, ::testing::Each(Consent::suspended));
  for (const auto& calls : outcome.calls) EXPECT_EQ(calls, (std::map<std::string, int>{{"Allreduce", 1}}));
}

TEST(AgreementOnFacts, ErrorsOfMpiAreReturned) {
  const Outcome outcome =
      run_ranks({.ranks = 2, .failures = {{.function = "Allreduce", .rank = 0, .code = MPI_ERR_NO_MEM}}}, [](int rank) {
        CommunicatorState state;
        state.comm = MPI_COMM_WORLD;
        state.size = 2;
        const LocalFacts facts = compressed_facts(1000);
        const int error = agree_on({.facts = facts}, state).error();
        EXPECT_EQ(error == MPI_ERR_NO_MEM, rank == 0);
        EXPECT_NE(error, MPI_SUCCESS);
      });
  EXPECT_TRUE(outcome.ended);
}

}  // namespace
}  // namespace airamp::pmpi
