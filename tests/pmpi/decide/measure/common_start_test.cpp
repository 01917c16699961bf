// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/decide/measure/common_start.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 4;
constexpr int late = 2;

std::chrono::nanoseconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }

TEST(CommonStart, IsOneMomentOfAllRanksBehindTheArrivalOfTheLast) {
  std::array<std::chrono::nanoseconds, ranks> moments{};
  std::chrono::nanoseconds arrival{};
  const Outcome outcome = run_ranks({.ranks = ranks, .shared_memory = true}, [&](int rank) {
    const AirampRank here({.warmup_iterations = 1});
    come_to_meet();
    if (rank == late) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      arrival = now();
    }
    const Result<CommonStart> start = agree_on_start(*find_communicator_state(MPI_COMM_WORLD), true);
    ASSERT_TRUE(start.ok());
    EXPECT_TRUE(start->all_well);
    start->wait();
    EXPECT_GE(now(), start->moment);
    moments.at(static_cast<std::size_t>(rank)) = start->moment;
  });
  EXPECT_EQ(outcome.trouble, "");
  for (const std::chrono::nanoseconds moment : moments) EXPECT_EQ(moment, moments.front());
  EXPECT_GT(moments.front(), arrival);
  EXPECT_LT(moments.front() - arrival, std::chrono::seconds(1));
}

/// What each rank hears if all is well on all but the last.
std::array<bool, ranks> answers(bool shared_memory) {
  std::array<bool, ranks> all_well{};
  const Outcome outcome = run_ranks({.ranks = ranks, .shared_memory = shared_memory}, [&](int rank) {
    const AirampRank here({.warmup_iterations = 1});
    if (shared_memory) come_to_meet();
    const CommunicatorState& state = *communicator_state(MPI_COMM_WORLD);
    EXPECT_EQ(state.resources.host_meeting() != nullptr, shared_memory);
    const Result<CommonStart> start = agree_on_start(state, rank != ranks - 1);
    ASSERT_TRUE(start.ok());
    all_well.at(static_cast<std::size_t>(rank)) = start->all_well;
    const Result<CommonStart> again = agree_on_start(state, true);
    ASSERT_TRUE(again.ok());
    EXPECT_TRUE(again->all_well);
  });
  EXPECT_EQ(outcome.trouble, "");
  return all_well;
}

TEST(CommonStart, SaysOnAllRanksThatAllIsNotWellOnOne) {
  constexpr std::array<bool, ranks> nowhere{};
  EXPECT_EQ(answers(true), nowhere);
  EXPECT_EQ(answers(false), nowhere);
}

}  // namespace
}  // namespace airamp::pmpi
