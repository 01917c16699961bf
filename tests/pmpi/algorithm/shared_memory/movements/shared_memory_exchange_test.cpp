// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/algorithm/shared_memory/movements/shared_memory_exchange.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

/// What rank `from` has for rank `to`.
std::byte byte_for(int from, int to) { return static_cast<std::byte>(1 + 10 * from + to); }

/// Blocks that the ranks have for each other in a call of one kind.
struct Blocks {
  Kind kind;
  int root;
  std::size_t longest;  ///< rank 1's, if it has any; the others' are of one byte

  std::size_t operator()(int from, int to) const {
    const DataFlow flow = data_flow_of(kind);
    const bool has_any =
        (flow != DataFlow::root_to_all || from == root) && (flow != DataFlow::all_to_root || to == root);
    return !has_any ? 0 : from == 1 ? longest : 1;
  }
};

/// Exchanges blocks by `carry` into buffers of zeros, of which the last byte of each stays.
template <class Carry>
void exchange_blocks(int rank, int ranks, const Blocks& blocks, const Carry& carry) {
  std::vector<std::vector<std::byte>> sent(static_cast<std::size_t>(ranks));
  std::vector<std::vector<std::byte>> received(static_cast<std::size_t>(ranks));
  CollectiveData data{.root = blocks.root};
  for (int peer = 0; peer < ranks; ++peer) {
    auto& to = sent[static_cast<std::size_t>(peer)];
    auto& from = received[static_cast<std::size_t>(peer)];
    to.assign(blocks(rank, peer), byte_for(rank, peer));
    from.assign(blocks(peer, rank) + 1, std::byte{0});
    data.sent.push_back({to.data(), to.size()});
    data.blocks.push_back({from.data(), from.size() - 1});
  }
  EXPECT_EQ(carry(data), MPI_SUCCESS);
  for (int peer = 0; peer < ranks; ++peer) {
    std::vector<std::byte> expected(blocks(peer, rank), byte_for(peer, rank));
    expected.push_back(std::byte{0});
    EXPECT_EQ(received[static_cast<std::size_t>(peer)], expected) << "from " << peer << " to " << rank;
  }
}

/// Runs `body` on every rank, with a group of all.
template <class Body>
void run_in_group(int ranks, const Body& body) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    const AirampRank airamp;
    CommunicatorResources resources;
    Result<Made<std::unique_ptr<HostGroup>>> group = HostGroup::create({MPI_COMM_WORLD, rank}, rank, ranks);
    ASSERT_TRUE(group.ok());
    ASSERT_NE(group->made, nullptr) << group->why_not;
    resources.host.made = std::move(group->made);
    body(rank, resources);
  });
  EXPECT_EQ(outcome.trouble, "");
}

class SharedMemoryExchangeOf : public ::testing::TestWithParam<Kind> {};

// Around what fits beside a rank's word, with and without a table of where blocks begin, and around one chunk.
TEST_P(SharedMemoryExchangeOf, BlocksOfEveryLengthComeWhereverTheyLie) {
  for (const int ranks : {2, 5}) {
    run_in_group(ranks, [&](int rank, const CommunicatorResources& resources) {
      SharedMemoryExchange exchange(resources, GetParam());
      const std::size_t chunk = resources.host.made->chunk_bytes();
      for (const std::size_t longest : {std::size_t{0}, std::size_t{1}, std::size_t{8}, std::size_t{20},
                                        std::size_t{75}, std::size_t{80}, std::size_t{81}, std::size_t{96},
                                        std::size_t{97}, chunk - 64, chunk - 63, chunk, chunk + 1, 3 * chunk + 7}) {
        for (int root = 0; root < ranks; ++root) {
          exchange_blocks(rank, ranks, {.kind = GetParam(), .root = root, .longest = longest},
                          [&](const CollectiveData& data) { return exchange.execute(data); });
        }
      }
    });
  }
}

// Calls of one length may be staged by what carries those of another.
TEST_P(SharedMemoryExchangeOf, OneExchangeFinishesWhatAnotherHasStaged) {
  constexpr int ranks = 3;
  run_in_group(ranks, [&](int rank, const CommunicatorResources& resources) {
    SharedMemoryExchange first(resources, GetParam());
    SharedMemoryExchange second(resources, GetParam());
    HostGroup& group = *resources.host.made;
    for (const std::size_t bytes : {std::size_t{8}, 2 * group.chunk_bytes()}) {
      exchange_blocks(rank, ranks, {.kind = GetParam(), .root = 1, .longest = bytes}, [&](const CollectiveData& data) {
        EXPECT_TRUE(first.stage(data));
        EXPECT_TRUE(group.meet());
        return second.finish(data);
      });
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Kinds, SharedMemoryExchangeOf,
                         ::testing::Values(Kind::alltoallv, Kind::alltoallw, Kind::gatherv, Kind::scatterv),
                         [](const auto& kind) { return std::string(to_string(kind.param)).substr(4); });

}  // namespace
}  // namespace airamp::pmpi
