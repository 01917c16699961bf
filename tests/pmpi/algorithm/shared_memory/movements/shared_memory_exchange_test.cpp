// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 3;
constexpr std::uint64_t longest_stream = 10000;

/// Blocks of each rank for each other one, rank 1's of `bytes_of_one` bytes and the others' of 100, by `exchange` into
/// buffers of zeros. Whether all have come.
bool exchange_blocks(SharedMemoryExchange& exchange, int rank, std::size_t bytes_of_one, bool at_any_price) {
  const auto bytes_of = [=](int from) { return from == 1 ? bytes_of_one : std::size_t{100}; };
  std::vector<std::vector<std::byte>> sent(ranks);
  std::vector<std::vector<std::byte>> received(ranks);
  CollectiveData data{.at_any_price = at_any_price};
  bool all = true;
  for (int peer = 0; peer < ranks; ++peer) {
    auto& to = sent[static_cast<std::size_t>(peer)];
    auto& from = received[static_cast<std::size_t>(peer)];
    to.assign(bytes_of(rank), static_cast<std::byte>(1 + 10 * rank + peer));
    from.assign(bytes_of(peer), std::byte{0});
    data.sent.push_back({to.data(), to.size()});
    data.blocks.push_back({from.data(), from.size()});
  }
  EXPECT_EQ(exchange.execute(data), MPI_SUCCESS);
  for (int peer = 0; peer < ranks; ++peer) {
    const std::vector<std::byte> expected(bytes_of(peer), static_cast<std::byte>(1 + 10 * peer + rank));
    const bool has_come = received[static_cast<std::size_t>(peer)] == expected;
    const std::vector<std::byte> untouched(bytes_of(peer), std::byte{0});
    EXPECT_TRUE(has_come || received[static_cast<std::size_t>(peer)] == untouched);
    all = all && has_come;
  }
  return all;
}

// Only rank 1 knows beforehand that its stream is long.
TEST(SharedMemoryExchange, IsCalledOffOnAllRanksWhereOneStreamIsLong) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [](int rank) {
    const AirampRank airamp;
    CommunicatorResources resources;
    const Result<Made<std::shared_ptr<HostGroup>>> group = HostGroup::create(MPI_COMM_WORLD, rank, ranks, {});
    ASSERT_TRUE(group.ok());
    ASSERT_NE(group->made, nullptr) << group->why_not;
    resources.host.made = group->made;
    SharedMemoryExchange exchange(resources, longest_stream);
    for (int round = 0; round < 5; ++round) {
      EXPECT_TRUE(exchange_blocks(exchange, rank, longest_stream / 2, false));
      EXPECT_EQ(exchange.why_left(), Reason::none);
      EXPECT_FALSE(exchange_blocks(exchange, rank, longest_stream / 2 + 1, false));
      EXPECT_EQ(exchange.why_left(), Reason::long_blocks);
      EXPECT_TRUE(exchange_blocks(exchange, rank, longest_stream / 2 + 1, true));
      EXPECT_EQ(exchange.why_left(), Reason::none);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
