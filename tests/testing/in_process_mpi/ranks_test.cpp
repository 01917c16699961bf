// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <vector>

#include "pmpi/job/job.hpp"
#include "pmpi/mpi/native.hpp"
#include "testing/in_process_mpi/airamp_rank.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {
namespace {

using pmpi::job;
using pmpi::native;
using ::testing::Each;

/// The order in which ranks come out of rounds without barriers.
std::vector<int> order_of(std::uint64_t seed) {
  std::vector<int> order;
  run_ranks({.ranks = 4, .seed = seed}, [&](int rank) {
    for (int round = 0; round < 10; ++round) {
      let_others_run();
      order.push_back(rank);
    }
  });
  return order;
}

TEST(InProcessRanks, TakeTurnsAsTheSeedSays) {
  EXPECT_EQ(order_of(1), order_of(1));
  EXPECT_EQ(order_of(2), order_of(2));
  EXPECT_NE(order_of(1), order_of(2));
}

TEST(InProcessRanks, HaveAJobOfTheirOwn) {
  job().rank = -7;
  const Outcome outcome = run_ranks({.ranks = 5}, [&](int rank) {
    const AirampRank airamp({.min_bytes = static_cast<std::uint64_t>(rank)});
    native().MPI_Barrier(MPI_COMM_WORLD);
    let_others_run(20);
    EXPECT_EQ(job().rank, rank);
    EXPECT_EQ(job().size, 5);
    EXPECT_EQ(job().settings.min_bytes, static_cast<std::uint64_t>(rank));
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(job().rank, -7);  // that of the process is back
  job().rank = 0;
}

TEST(InProcessRanks, CountTheirCalls) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    for (int i = 0; i <= rank; ++i) {
      int size = 0;
      native().Comm_size(MPI_COMM_WORLD, &size);
    }
  });
  EXPECT_EQ(outcome.calls[0].at("Comm_size"), 1);
  EXPECT_EQ(outcome.calls[1].at("Comm_size"), 2);
}

TEST(InProcessRanks, CanBeManyAtLittleCost) {
  constexpr int ranks = 1024;
  std::vector<int> sums(ranks);
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    int sum = 1;
    native().MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    sums[static_cast<std::size_t>(rank)] = sum;
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_THAT(sums, Each(ranks));
}

}  // namespace
}  // namespace airamp::testing
