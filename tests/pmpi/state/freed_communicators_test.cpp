// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/freed_communicators.hpp"

#include <gmock/gmock.h>

#include "pmpi/state/report_data.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::airamp::testing::set_costs;

constexpr int communicators = 40;
constexpr int calls = 3;
constexpr std::size_t elements = 2000;

void use_and_free(int rank, std::size_t length) {
  MPI_Comm comm = MPI_COMM_NULL;
  ASSERT_EQ(native().Comm_dup(MPI_COMM_WORLD, &comm), MPI_SUCCESS);
  for (int i = 0; i < calls; ++i) {
    std::vector<float> values = contribution(rank, length);
    EXPECT_EQ(allreduce(values, comm), MPI_SUCCESS);
  }
  end_communicator_state(comm);
  native().MPI_Comm_free(&comm);
}

struct Kept {
  int states = 0;
  std::size_t signatures = 0;
  std::uint64_t calls = 0;
};

Kept kept_of_freed() {
  Kept kept;
  for_each_communicator_state(
      [](void* context, const std::string& name, const CommunicatorState& state) {
        if (!name.empty()) return;
        auto& result = *static_cast<Kept*>(context);
        ++result.states;
        result.signatures += state.signatures.size();
        for (const auto& [key, signature] : state.signatures) result.calls += signature.calls;
      },
      &kept);
  return kept;
}

TEST(FreedCommunicators, TheSameCallsAreAddedUp) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = 6}, [&](int rank) {
    config::Settings settings = opted_in();
    settings.force = config::Force::mpi_two_shot;
    const AirampRank airamp(settings);
    for (int i = 0; i < communicators; ++i) use_and_free(rank, elements);
    const Kept kept = kept_of_freed();
    EXPECT_EQ(kept.states, 1);
    EXPECT_EQ(kept.signatures, 1U);
    EXPECT_EQ(kept.calls, static_cast<std::uint64_t>(communicators * calls));
    const telemetry::Report report = make_report({});
    EXPECT_THAT(report.signatures,
                ::testing::Contains(::testing::AllOf(
                    ::testing::Field(&telemetry::Report::Signature::communicator, "freed communicators"),
                    ::testing::Field(&telemetry::Report::Signature::accelerated_calls, communicators * calls))));
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Measured and not yet decided on some, decided on others.
TEST(FreedCommunicators, DifferentDecisionsStayApart) {
  const Outcome outcome = run_ranks({.ranks = 2, .seed = 6}, [&](int rank) {
    const AirampRank airamp(opted_in());
    set_costs({.collective_seconds = 1});
    for (int i = 0; i < communicators; ++i) use_and_free(rank, elements << static_cast<unsigned>(i % 3));
    const Kept kept = kept_of_freed();
    EXPECT_LE(kept.states, 3);
    EXPECT_GE(kept.signatures, 3U);
    EXPECT_LE(kept.signatures, 9U);
    EXPECT_EQ(kept.calls, static_cast<std::uint64_t>(communicators * calls));
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
