// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/unsynchronized/unsynchronized_call.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>

#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/bcast_call.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 8;
constexpr int root = 0;
constexpr MPI_Count block = 1 << 20;
constexpr double slack_seconds = 100e-6;  // that any call has

/// By what a rank would wait for the others in a call of `bytes` bytes: infinite, not said, or seconds.
double patience_of(const CollectiveCall& collective, std::uint64_t bytes = block) {
  CommunicatorState& state = *find_communicator_state(MPI_COMM_WORLD);
  const auto patience = patience_in(collective, state, bytes);
  return patience ? patience->seconds : -1;
}

// The root moves the blocks of all after each other, and natively ranks come to the next call as far apart.
TEST(UnsynchronizedCall, GathersAndScattersOfBlocksWaitForTheBlocksOfAll) {
  const Outcome outcome = run_ranks({.ranks = ranks, .shared_memory = true}, [](int rank) {
    const AirampRank here({.warmup_iterations = 1});
    come_to_meet();
    std::byte own{};
    std::byte all{};  // nothing is moved
    const RootedGatherCall gather(&own, block, MPI_BYTE, &all, block, MPI_BYTE, root, MPI_COMM_WORLD, false);
    const ScatterCall scatter(&all, block, MPI_BYTE, &own, block, MPI_BYTE, root, MPI_COMM_WORLD, false);
    const BcastCall bcast(&own, block, MPI_BYTE, root, MPI_COMM_WORLD, false);
    const double of_vector = patience_of(bcast);
    EXPECT_GE(of_vector, 1e-9 * block);
    EXPECT_LE(of_vector, 1e-9 * block + slack_seconds);
    const double of_blocks = 1e-9 * block * ranks / 2;
    if (rank == root) {
      EXPECT_TRUE(std::isinf(patience_of(gather)));
    } else {
      EXPECT_GE(patience_of(gather), of_blocks);
      EXPECT_LE(patience_of(gather), of_blocks + slack_seconds);
    }
    EXPECT_GE(patience_of(scatter), of_blocks);
    EXPECT_LE(patience_of(scatter), of_blocks + slack_seconds);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Of these a rank knows its own stream alone: at the root of a scatterv that of all blocks.
TEST(UnsynchronizedCall, GathersAndScattersOfAnyLengthWaitByWhatARankSends) {
  const Outcome outcome = run_ranks({.ranks = ranks, .shared_memory = true}, [](int rank) {
    const AirampRank here({.warmup_iterations = 1});
    come_to_meet();
    const RootedExchange::Own own{.buffer = nullptr, .count = 0, .type = MPI_BYTE};
    const RootedExchange::All all{.buffer = nullptr,
                                  .counts = NumbersByRank(static_cast<const int*>(nullptr)),
                                  .displacements = NumbersByRank(static_cast<const int*>(nullptr)),
                                  .type = MPI_BYTE};
    const GathervCall gatherv(own, all, root, MPI_COMM_WORLD, false);
    const ScattervCall scatterv(own, all, root, MPI_COMM_WORLD, false);
    if (rank != root) {
      EXPECT_GE(patience_of(gatherv), 1e-9 * block * ranks / 2);
      EXPECT_LE(patience_of(gatherv), 1e-9 * block * ranks / 2 + slack_seconds);
    }
    EXPECT_GE(patience_of(scatterv), 1e-9 * block / 2);
    EXPECT_LE(patience_of(scatterv), 1e-9 * block / 2 + slack_seconds);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// Natively each rank of a scan waits for the one below it: the last one is as many messages behind the first.
TEST(UnsynchronizedCall, ScansWaitForAMessageAndAVectorOfEveryRank) {
  const Outcome outcome = run_ranks({.ranks = ranks, .shared_memory = true}, [](int rank) {
    const AirampRank here({.warmup_iterations = 1});
    come_to_meet();
    double value = 0;
    double sum = 0;
    const ScanCall scan(ScanCall::Ranks::including_own, &value, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, false);
    if (rank == ranks - 1) return;  // it waits for all
    constexpr double message_seconds = 1e-6;
    EXPECT_GE(patience_of(scan, 8) - patience_of(scan, 0), 1e-9 * 8 * ranks / 2 * 0.9);
    EXPECT_GE(patience_of(scan, 8), message_seconds * ranks / 2);
    EXPECT_LE(patience_of(scan, 8), message_seconds * ranks / 2 + slack_seconds);
    EXPECT_GE(patience_of(scan, block), 1e-9 * block * ranks / 2);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(UnsynchronizedCall, HasALeastStepWhereAllRanksMeet) {
  for (const Kind kind : {Kind::scan, Kind::exscan, Kind::gather, Kind::gatherv}) {
    EXPECT_GT(least_step_seconds(kind, 2), 0);
    EXPECT_GT(least_step_seconds(kind, 32), least_step_seconds(kind, 2));
    EXPECT_LT(least_step_seconds(kind, 32), 5e-6) << "a scan of 8 B on 32 ranks takes some two";
  }
  for (const Kind kind : {Kind::bcast, Kind::reduce, Kind::scatter}) EXPECT_EQ(least_step_seconds(kind, 32), 0);
}

}  // namespace
}  // namespace airamp::pmpi
