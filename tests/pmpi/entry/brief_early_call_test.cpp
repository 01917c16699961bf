// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/entry/brief_early_call.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "pmpi/call/exchanges/alltoallv_call.hpp"
#include "pmpi/call/exchanges/rooted_exchange.hpp"
#include "pmpi/call/movements/rooted_movement.hpp"
#include "pmpi/call/reductions/scan_call.hpp"
#include "pmpi/entry/hooks.hpp"
#include "tests/pmpi/entry/forced_ranks.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::Each;
using ::testing::ElementsAreArray;

constexpr int ranks = 3;
constexpr std::size_t at_root = ranks;

void in_all_ranks(const std::function<void(int rank)>& program) { in_forced_ranks(ranks, program); }

/// So many calls that the next one is carried briefly: the first are looked at, and one in 16 is timed.
template <class Collective>
void repeat_until_brief(const Collective& collective) {
  for (int call = 0; call < 18; ++call) ASSERT_EQ(collective(), MPI_SUCCESS);
}

template <class Exchange>
std::optional<int> exchange_briefly(const Exchange& call) {
  const std::optional<KnownCall> found = known_call(call, call.arguments());
  if (!found || !may_be_brief(call, *found->state, *found->shortcut)) return std::nullopt;
  return carry_exchange_briefly(call, *found);
}

/// The elements of a rank's block in a call, none of which another one has.
std::vector<int> numbers(int rank, int call, std::size_t elements) {
  std::vector<int> values(elements);
  std::iota(values.begin(), values.end(), 100000 * (rank + 1) + 1000 * call);
  return values;
}

/// How many numbers of 4 bytes a block has, and which rank is the root.
class BriefGathers : public ::testing::TestWithParam<std::tuple<std::size_t, int>> {};

TEST_P(BriefGathers, BringTheRootAllBlocks) {
  const auto [elements, root] = GetParam();
  in_all_ranks([elements = elements, root = root](int rank) {
    for (const bool in_place : {false, true}) {
      const auto count = static_cast<int>(elements);
      const std::vector<int> own = numbers(rank, 0, elements);
      std::vector<int> all(rank == root ? elements * at_root : 0);
      const bool is_given_there = in_place && rank == root;
      const auto call = [&](bool briefly) {
        std::fill(all.begin(), all.end(), -1);
        if (is_given_there)
          std::copy(own.begin(), own.end(), all.begin() + static_cast<std::ptrdiff_t>(elements) * root);
        const void* const from = is_given_there ? MPI_IN_PLACE : own.data();
        if (!briefly) return on_MPI_Gather(from, count, MPI_INT, all.data(), count, MPI_INT, root, MPI_COMM_WORLD);
        return run_briefly(
                   RootedGatherCall(from, count, MPI_INT, all.data(), count, MPI_INT, root, MPI_COMM_WORLD, false))
            .value_or(MPI_ERR_INTERN);
      };
      repeat_until_brief([&] { return call(false); });
      EXPECT_EQ(call(true), MPI_SUCCESS);
      std::vector<int> expected;
      for (int from = 0; rank == root && from < ranks; ++from) {
        const std::vector<int> block = numbers(from, 0, elements);
        expected.insert(expected.end(), block.begin(), block.end());
      }
      EXPECT_THAT(all, ElementsAreArray(expected)) << in_place;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(ElementsAndRoot, BriefGathers,
                         ::testing::Combine(::testing::Values<std::size_t>(1, 26, 27, 1000), ::testing::Values(0, 2)));

// No multiple of four bytes, which are copied otherwise.
TEST(BriefGather, BringsOddBytes) {
  in_all_ranks([](int rank) {
    for (const int bytes : {1, 7, 103, 105}) {
      const std::vector<char> own(static_cast<std::size_t>(bytes), static_cast<char>('a' + rank));
      std::vector<char> all(own.size() * at_root);
      repeat_until_brief(
          [&] { return on_MPI_Gather(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, 1, MPI_COMM_WORLD); });
      std::fill(all.begin(), all.end(), '-');
      const RootedGatherCall call(own.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, 1, MPI_COMM_WORLD, false);
      EXPECT_EQ(run_briefly(call), MPI_SUCCESS);
      std::string expected;
      for (const char letter : {'a', 'b', 'c'}) expected.append(own.size(), rank == 1 ? letter : '-');
      EXPECT_THAT(all, ElementsAreArray(expected)) << bytes;
    }
  });
}

class BriefScans : public ::testing::TestWithParam<std::tuple<std::size_t, ScanCall::Ranks>> {};

TEST_P(BriefScans, AddWhatRanksBelowHave) {
  const auto [elements, including] = GetParam();
  in_all_ranks([elements = elements, including = including](int rank) {
    const auto count = static_cast<int>(elements);
    const bool inclusive = including == ScanCall::Ranks::including_own;
    for (const bool in_place : {false, true}) {
      const std::vector<int> own = numbers(rank, 0, elements);
      std::vector<int> sums(elements);
      const auto call = [&](bool briefly) {
        if (in_place) {
          sums = own;
        } else {
          std::fill(sums.begin(), sums.end(), -1);
        }
        const void* const from = in_place ? MPI_IN_PLACE : own.data();
        if (briefly) {
          return run_briefly(ScanCall(including, from, sums.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD, false))
              .value_or(MPI_ERR_INTERN);
        }
        return inclusive ? on_MPI_Scan(from, sums.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
                         : on_MPI_Exscan(from, sums.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
      };
      repeat_until_brief([&] { return call(false); });
      EXPECT_EQ(call(true), MPI_SUCCESS);
      std::vector<int> expected(elements);
      const int end = inclusive ? rank + 1 : rank;
      for (int from = 0; from < end; ++from) {
        const std::vector<int> given = numbers(from, 0, elements);
        for (std::size_t i = 0; i < elements; ++i) expected[i] += given[i];
      }
      if (end == 0) expected = in_place ? own : std::vector<int>(elements, -1);  // it gets nothing
      EXPECT_THAT(sums, ElementsAreArray(expected)) << in_place;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(ElementsAndRanks, BriefScans,
                         ::testing::Combine(::testing::Values<std::size_t>(1, 26, 27, 5000),
                                            ::testing::Values(ScanCall::Ranks::including_own,
                                                              ScanCall::Ranks::below_own)));

/// Of each rank in each call: from none on.
int length_of(int rank, int call) { return (rank * 5 + call * 3) % 14; }

// Within a bucket of sizes, blocks have other lengths in each call.
TEST(BriefExchange, GathersBlocksOfOtherLengthsInEachCall) {
  in_all_ranks([](int rank) {
    constexpr int root = 1;
    int carried_briefly = 0;
    for (int number = 0; number < 60; ++number) {
      std::array<int, ranks> counts{};
      for (int from = 0; from < ranks; ++from)
        counts[static_cast<std::size_t>(from)] = 10 + length_of(from, number) % 5;
      if (number % 7 == 0) counts[0] = 0;
      std::array<int, ranks> places{};
      std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
      const std::vector<int> own =
          numbers(rank, number, static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]));
      std::vector<int> all(static_cast<std::size_t>(places.back() + counts.back()), -1);
      const GathervCall call({own.data(), static_cast<MPI_Count>(own.size()), MPI_INT},
                             {all.data(), NumbersByRank(counts.data()), NumbersByRank(places.data()), MPI_INT}, root,
                             MPI_COMM_WORLD, false);
      const std::optional<int> done = exchange_briefly(call);
      carried_briefly += done.has_value() ? 1 : 0;
      EXPECT_EQ(done ? *done
                     : on_MPI_Gatherv(own.data(), static_cast<int>(own.size()), MPI_INT, all.data(), counts.data(),
                                      places.data(), MPI_INT, root, MPI_COMM_WORLD),
                MPI_SUCCESS);
      std::vector<int> expected(all.size(), -1);
      for (int from = 0; rank == root && from < ranks; ++from) {
        const auto at = static_cast<std::size_t>(from);
        const std::vector<int> block = numbers(from, number, static_cast<std::size_t>(counts[at]));
        std::copy(block.begin(), block.end(), expected.begin() + places[at]);
      }
      EXPECT_THAT(all, ElementsAreArray(expected)) << "call " << number;
    }
    EXPECT_GT(carried_briefly, 40);
  });
}

/// The lengths of the blocks that `rank` gets from each rank in a call; what `rank` gives, if `given`.
std::array<int, ranks> lengths_of(int rank, int call, bool given) {
  std::array<int, ranks> lengths{};
  for (int peer = 0; peer < ranks; ++peer) {
    const int from = given ? rank : peer;
    const int to = given ? peer : rank;
    lengths[static_cast<std::size_t>(peer)] = 12 + (from * 3 + to + call) % 4;
  }
  return lengths;
}

/// What all ranks have for `rank`, one block behind the other.
std::vector<int> blocks_for(int rank, int call) {
  std::vector<int> blocks;
  for (int from = 0; from < ranks; ++from) {
    const int length = lengths_of(rank, call, false)[static_cast<std::size_t>(from)];
    const std::vector<int> block = numbers(10 * from + rank, call, static_cast<std::size_t>(length));
    blocks.insert(blocks.end(), block.begin(), block.end());
  }
  return blocks;
}

TEST(BriefExchange, BringsAllRanksBlocksOfOtherLengthsInEachCall) {
  in_all_ranks([](int rank) {
    for (const bool typed : {false, true}) {
      int carried_briefly = 0;
      for (int number = 0; number < 60; ++number) {
        const std::array<int, ranks> gives = lengths_of(rank, number, true);
        const std::array<int, ranks> gets = lengths_of(rank, number, false);
        std::vector<int> given;
        for (int to = 0; to < ranks; ++to) {
          const auto length = static_cast<std::size_t>(gives[static_cast<std::size_t>(to)]);
          const std::vector<int> block = numbers(10 * rank + to, number, length);
          given.insert(given.end(), block.begin(), block.end());
        }
        const std::vector<int> expected = blocks_for(rank, number);
        std::vector<int> got(expected.size(), -1);
        std::array<int, ranks> from{};
        std::array<int, ranks> to{};
        std::exclusive_scan(gives.begin(), gives.end(), from.begin(), 0);
        std::exclusive_scan(gets.begin(), gets.end(), to.begin(), 0);
        const std::array<MPI_Datatype, ranks> types{MPI_INT, MPI_INT, MPI_INT};
        if (typed) {
          for (int& place : from) place *= static_cast<int>(sizeof(int));
          for (int& place : to) place *= static_cast<int>(sizeof(int));
        }
        std::optional<int> done;
        int error = MPI_SUCCESS;
        if (typed) {
          done = exchange_briefly(AlltoallwCall(
              {given.data(), NumbersByRank(gives.data()), NumbersByRank(from.data()), types.data()},
              {got.data(), NumbersByRank(gets.data()), NumbersByRank(to.data()), types.data()}, MPI_COMM_WORLD, false));
          if (!done) {
            error = on_MPI_Alltoallw(given.data(), gives.data(), from.data(), types.data(), got.data(), gets.data(),
                                     to.data(), types.data(), MPI_COMM_WORLD);
          }
        } else {
          done = exchange_briefly(AlltoallvCall(
              {given.data(), NumbersByRank(gives.data()), NumbersByRank(from.data()), MPI_INT},
              {got.data(), NumbersByRank(gets.data()), NumbersByRank(to.data()), MPI_INT}, MPI_COMM_WORLD, false));
          if (!done) {
            error = on_MPI_Alltoallv(given.data(), gives.data(), from.data(), MPI_INT, got.data(), gets.data(),
                                     to.data(), MPI_INT, MPI_COMM_WORLD);
          }
        }
        carried_briefly += done.has_value() ? 1 : 0;
        EXPECT_EQ(done.value_or(error), MPI_SUCCESS);
        EXPECT_THAT(got, ElementsAreArray(expected)) << "call " << number;
      }
      EXPECT_GT(carried_briefly, 40);
    }
  });
}

/// One MPI_Gatherv of `own` numbers of each rank, where the root has room for `room`, as the application's call.
int gather(std::vector<int>& all, int own, int room, bool briefly) {
  const std::vector<int> given(static_cast<std::size_t>(own), 7);
  const std::array<int, ranks> counts{own, room, room};
  const std::array<int, ranks> places{0, own, own + room};
  all.assign(static_cast<std::size_t>(own + 2 * room), -1);
  if (!briefly) {
    return on_MPI_Gatherv(given.data(), own, MPI_INT, all.data(), counts.data(), places.data(), MPI_INT, 0,
                          MPI_COMM_WORLD);
  }
  return exchange_briefly(GathervCall({given.data(), own, MPI_INT},
                                      {all.data(), NumbersByRank(counts.data()), NumbersByRank(places.data()), MPI_INT},
                                      0, MPI_COMM_WORLD, false))
      .value_or(MPI_ERR_INTERN);
}

// The others do not hear of it, as natively, and the next call is as good as before.
TEST(BriefExchange, GivesTheRootAnErrorThatHasTooLittleRoom) {
  in_all_ranks([](int rank) {
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    std::vector<int> all;
    repeat_until_brief([&] { return gather(all, 5, 5, false); });
    EXPECT_EQ(gather(all, 5, 4, true), rank == 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    if (rank == 0) {
      EXPECT_THAT(all, Each(7));
    }
    EXPECT_EQ(gather(all, 5, 5, true), MPI_SUCCESS);
    if (rank == 0) {
      EXPECT_THAT(all, Each(7));
    }
  });
}

// One of another bucket than the calls before it is decided on anew, and has come to its agreement briefly.
TEST(BriefExchange, GoesOnWhereOneBlockIsLonger) {
  in_all_ranks([](int rank) {
    std::vector<int> all;
    repeat_until_brief([&] { return gather(all, 5, 5, false); });
    for (const int own : {60, 20000, 5, 60}) {
      EXPECT_EQ(gather(all, own, own, own != 5), MPI_SUCCESS) << own;
      if (rank == 0) {
        EXPECT_THAT(all, Each(7)) << own;
      }
      repeat_until_brief([&] { return gather(all, 5, 5, false); });
    }
  });
}

// Elements with gaps between them, and counts that the MPI library is to refuse, are not copied as they lie.
TEST(BriefExchange, IsNoCallOfOtherBlocks) {
  in_all_ranks([](int rank) {
    PlainBlocks blocks(ranks);
    const std::array<int, ranks> counts{1, 1, 1};
    const std::array<int, ranks> wrong{1, 1, -1};
    const std::array<int, ranks> places{0, 1, 2};
    std::array<double, ranks + 3> from{};
    std::array<double, ranks + 3> to{};
    const auto exchange = [&](const std::array<int, ranks>& sent, const std::array<int, ranks>& received,
                              MPI_Datatype type, const void* buffer) {
      return AlltoallvCall({buffer, NumbersByRank(sent.data()), NumbersByRank(places.data()), type},
                           {to.data(), NumbersByRank(received.data()), NumbersByRank(places.data()), type},
                           MPI_COMM_WORLD, false);
    };
    const std::optional<PlainStream> plain =
        exchange(counts, counts, MPI_INT, from.data()).plain_stream(rank, ranks, blocks);
    ASSERT_TRUE(plain.has_value());
    EXPECT_EQ(plain->bytes, 2 * sizeof(int));
    EXPECT_TRUE(plain->gets_from_all);
    EXPECT_FALSE(exchange(wrong, counts, MPI_INT, from.data()).plain_stream(rank, ranks, blocks).has_value());
    EXPECT_FALSE(exchange(counts, wrong, MPI_INT, from.data()).plain_stream(rank, ranks, blocks).has_value());
    EXPECT_FALSE(exchange(counts, counts, MPI_SHORT_INT, from.data()).plain_stream(rank, ranks, blocks).has_value());
    EXPECT_FALSE(exchange(counts, counts, MPI_INT, MPI_IN_PLACE).plain_stream(rank, ranks, blocks).has_value());
    const std::array<int, ranks> own_is_longer{rank == 0 ? 2 : 1, rank == 1 ? 2 : 1, rank == 2 ? 2 : 1};
    EXPECT_FALSE(exchange(own_is_longer, counts, MPI_INT, from.data()).plain_stream(rank, ranks, blocks).has_value());
    const std::array<int, ranks> none{0, 0, 0};
    const std::optional<PlainStream> empty =
        exchange(none, none, MPI_INT, from.data()).plain_stream(rank, ranks, blocks);
    ASSERT_TRUE(empty.has_value());
    EXPECT_EQ(empty->bytes, 0U);
    EXPECT_FALSE(empty->gets_from_all);
  });
}

// A rank that wants none of AIRamp says so in the agreement: the others have come to it briefly.
TEST(BriefExchange, GoesNativelyWhereTheRanksDisagree) {
  in_all_ranks([](int rank) {
    std::vector<int> all;
    const auto call = [&] {
      EXPECT_EQ(gather(all, 5, 5, false), MPI_SUCCESS);
      if (rank == 0) {
        EXPECT_THAT(all, Each(7));
      }
      return MPI_SUCCESS;
    };
    repeat_until_brief(call);
    const std::uint64_t counted = job().counters.calls(static_cast<std::size_t>(Function::MPI_Gatherv));
    if (rank == 1) on_pcontrol(0);
    for (int i = 0; i < 3; ++i) call();
    if (rank == 1) on_pcontrol(1);
    repeat_until_brief(call);
    EXPECT_EQ(job().counters.calls(static_cast<std::size_t>(Function::MPI_Gatherv)), counted + 3 + 18);
    EXPECT_EQ(gather(all, 5, 5, true), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace airamp::pmpi
