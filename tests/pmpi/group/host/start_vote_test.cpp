// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/start_vote.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

namespace airamp::pmpi {
namespace {

using Calls = std::vector<bool>;  // by number, from 1 on: whether it began

struct Rank {
  StartVote vote;
  std::uint64_t calls = 0;

  bool call(StartVote::Shared& shared, std::uint64_t ranks) { return vote.begins(shared, ranks, ++calls); }
};

TEST(StartVote, RanksInStepBeginSoon) {
  StartVote::Shared shared{};
  std::vector<Rank> ranks(3);
  std::uint64_t begun = 0;
  for (int call = 1; call <= 5 && begun == 0; ++call) {
    for (Rank& rank : ranks) begun += rank.call(shared, ranks.size()) ? 1 : 0;
  }
  EXPECT_EQ(begun, ranks.size());
}

TEST(StartVote, OneRankAloneBegins) {
  StartVote::Shared shared{};
  Rank rank;
  EXPECT_FALSE(rank.call(shared, 1));
  EXPECT_FALSE(rank.call(shared, 1));
  EXPECT_TRUE(rank.call(shared, 1));
}

TEST(StartVote, NobodyBeginsWithoutARankThatDoesNotCome) {
  StartVote::Shared shared{};
  std::vector<Rank> ranks(2);
  for (int call = 0; call < 10000; ++call) {
    for (Rank& rank : ranks) ASSERT_FALSE(rank.call(shared, 3));
  }
}

TEST(StartVote, NobodyBeginsWhileARankIsAgainstIt) {
  StartVote::Shared shared{};
  std::vector<Rank> ranks(3);
  for (int call = 0; call < 100; ++call) {
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
      ASSERT_FALSE(ranks[rank].vote.begins(shared, ranks.size(), ++ranks[rank].calls, rank != 1));
  }
  std::vector<std::uint64_t> begun;
  for (int call = 0; call < 10000 && begun.empty(); ++call) {
    for (Rank& rank : ranks) {
      if (rank.call(shared, ranks.size())) begun.push_back(rank.calls);
    }
  }
  ASSERT_EQ(begun.size(), ranks.size());
  EXPECT_EQ(begun, std::vector<std::uint64_t>(ranks.size(), begun[0]));
}

TEST(StartVote, WhoComesToACarriedCallLaterBeginsWithItToo) {
  StartVote::Shared shared{};
  std::vector<Rank> ranks(2);
  std::uint64_t begun = 0;
  while (begun == 0) {  // in step, but that rank 1 stops before the call that rank 0 begins with
    if (ranks[0].call(shared, 2)) begun = ranks[0].calls;
    if (begun == 0) {
      ASSERT_FALSE(ranks[1].call(shared, 2));
    }
  }
  for (int call = 0; call < 100; ++call) ranks[0].call(shared, 2);  // anew, and anew, for which rank 1 does not vote
  EXPECT_EQ(ranks[1].calls + 1, begun);
  EXPECT_TRUE(ranks[1].call(shared, 2));
}

/// Ranks that run ahead of each other, and begin anew after some of the calls that they have begun with.
std::vector<Calls> run(std::uint64_t ranks, std::uint64_t calls, unsigned seed) {
  StartVote::Shared shared{};
  std::vector<Calls> answers(ranks);
  std::vector<std::thread> threads;
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      std::mt19937 random(seed + static_cast<unsigned>(rank));
      StartVote vote;
      for (std::uint64_t call = 1; call <= calls; ++call) {
        const bool votes = random() % 16 != 0;
        answers[rank].push_back(vote.begins(shared, ranks, call, votes));
        if (random() % 64 == 0) std::this_thread::yield();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  return answers;
}

TEST(StartVote, OfEachCallAllRanksFindTheSame) {
  std::int64_t begun = 0;
  for (const std::uint64_t ranks : {2, 3, 5}) {
    for (unsigned seed = 0; seed < 2; ++seed) {
      const std::vector<Calls> answers = run(ranks, 20000, seed);
      for (const Calls& other : answers) ASSERT_EQ(other, answers.front()) << ranks << " ranks, seed " << seed;
      begun += std::count(answers.front().begin(), answers.front().end(), true);
    }
  }
  EXPECT_GT(begun, 0);
}

}  // namespace
}  // namespace airamp::pmpi
