// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
//
// Calls whose blocks may have any length are decided on by the longest stream, of which one rank alone may know.
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <numeric>
#include <vector>

#include "core/size_bucket.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 4;
constexpr int root = 0;
constexpr int long_rank = 2;
constexpr int short_bytes = 8;
constexpr int long_bytes = 3000;
constexpr int last_long_calls = 12;

std::byte byte_of(int rank, int call) { return static_cast<std::byte>(rank * 50 + call % 50 + 1); }

/// One MPI_Gatherv, in which `long_rank` and the root itself have long blocks, or nobody has. Its result is right.
void gather_blocks(int rank, bool is_long, int number) {
  std::vector<int> counts(ranks, short_bytes);
  if (is_long) counts[long_rank] = counts[root] = long_bytes;
  std::vector<int> places(ranks);
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  const std::vector<std::byte> own(static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]),
                                   byte_of(rank, number));
  std::vector<std::byte> all(static_cast<std::size_t>(places.back() + counts.back()));
  EXPECT_EQ(on_MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_BYTE, all.data(), counts.data(), places.data(),
                           MPI_BYTE, root, MPI_COMM_WORLD),
            MPI_SUCCESS);
  if (rank != root) return;
  std::vector<std::byte> expected;
  for (int from = 0; from < ranks; ++from)
    expected.insert(expected.end(), static_cast<std::size_t>(counts[static_cast<std::size_t>(from)]),
                    byte_of(from, number));
  EXPECT_EQ(all, expected) << "call " << number;
}

/// What a rank knows of the calls of one bucket.
struct Known {
  std::uint64_t calls = 0;
  std::uint64_t accelerated_calls = 0;
  bool decided = false;
  int choice = 0;
  double native_seconds = 0;
  bool operator==(const Known&) const = default;
};

std::map<unsigned, Known> known_here() {
  std::map<unsigned, Known> known;
  for (const auto& [key, signature] : find_communicator_state(MPI_COMM_WORLD)->signatures) {
    if (key.kind != Kind::gatherv) continue;
    known[key.bucket] = {.calls = signature.calls,
                         .accelerated_calls = signature.accelerated_calls,
                         .decided = signature.tuner.decided(),
                         .choice = signature.tuner.choice(),
                         .native_seconds = signature.tuner.native_seconds()};
  }
  return known;
}

// Native calls in which the root sends a long block to itself take a second, others nothing.
TEST(LongestStream, DecidesOnAllRanksThoughOneAloneKnowsIt) {
  std::array<std::map<unsigned, Known>, ranks> known;
  std::array<std::uint64_t, ranks> long_calls_before{};
  const Outcome outcome = run_ranks({.ranks = ranks, .seed = 5, .shared_memory = true}, [&](int rank) {
    const AirampRank airamp({.warmup_iterations = 1});
    ::airamp::testing::set_costs({.collective_seconds = 1});
    communicator_state(MPI_COMM_WORLD)->calls_for_shared_memory = 1000;  // as behind so many
    std::vector<float> values(2);
    constexpr int enough_to_share_memory = 20;
    for (int i = 0; i < enough_to_share_memory; ++i) allreduce(values);
    ASSERT_NE(find_communicator_state(MPI_COMM_WORLD)->resources.meeting(), nullptr);
    // by turns, several of one length, one long one of three
    for (int call = 0; call < 120; ++call) {
      const bool is_long = call < 40 ? call % 2 == 1 : call < 80 ? call / 5 % 2 == 1 : call * 7 % 3 == 0;
      allreduce(values);  // so that none comes so much later than others that they do not wait
      gather_blocks(rank, is_long, call);
    }
    long_calls_before[static_cast<std::size_t>(rank)] = known_here()[size_bucket(long_bytes)].calls;
    for (int call = 0; call < 2 * last_long_calls; ++call) {
      allreduce(values);
      gather_blocks(rank, call % 2 == 0, call);
    }
    known[static_cast<std::size_t>(rank)] = known_here();
  });
  EXPECT_EQ(outcome.trouble, "");
  const std::map<unsigned, Known>& first = known.front();
  ASSERT_THAT(first, ::testing::SizeIs(2));
  for (const auto& each : known) EXPECT_EQ(each, first);
  ASSERT_TRUE(first.contains(size_bucket(short_bytes)));
  ASSERT_TRUE(first.contains(size_bucket(long_bytes)));
  const Known& of_long = first.at(size_bucket(long_bytes));
  EXPECT_TRUE(of_long.decided);
  EXPECT_NE(of_long.choice, tuner::SignatureTuner::native_choice);
  EXPECT_GE(of_long.native_seconds, 1);
  for (const std::uint64_t before : long_calls_before) EXPECT_EQ(of_long.calls, before + last_long_calls);
  EXPECT_GE(of_long.accelerated_calls, of_long.calls / 2);
  EXPECT_LT(first.at(size_bucket(short_bytes)).native_seconds, 1);
}

}  // namespace
}  // namespace airamp::pmpi
