// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/ring_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int tag = 7;

/// What member `from` sends to member `to`: no message where it would be to the next but one, else as many bytes as the
/// number of the sender, and one more.
std::vector<std::byte> letter(int from, int to, int members) {
  if (members > 2 && to == (from + 2) % members) return {};
  return std::vector<std::byte>(static_cast<std::size_t>(from) + 1, static_cast<std::byte>(16 * from + to));
}

using Letters = std::vector<std::vector<std::byte>>;

Letters sent_by(int from, int members) {
  Letters letters;
  for (int to = 0; to < members; ++to) letters.push_back(letter(from, to, members));
  return letters;
}

/// Of the lengths that they will have.
Letters room_for(int to, int members) {
  Letters letters;
  for (int from = 0; from < members; ++from) letters.emplace_back(letter(from, to, members).size());
  return letters;
}

void expect_all_but_own(const Letters& received, int own, int members) {
  for (int from = 0; from < members; ++from) {
    if (from == own) continue;
    EXPECT_EQ(received[static_cast<std::size_t>(from)], letter(from, own, members));
  }
}

std::uint64_t bytes_of_all_but(const Letters& letters, int own) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < letters.size(); ++i) bytes += i == static_cast<std::size_t>(own) ? 0 : letters[i].size();
  return bytes;
}

class ARing : public ::testing::TestWithParam<std::tuple<int, int>> {
 protected:
  static int members() { return std::get<0>(GetParam()); }
  static int at_once() { return std::get<1>(GetParam()); }
};

TEST_P(ARing, BringsEveryMemberWhatTheOthersHaveForIt) {
  const Outcome outcome = run_ranks({.ranks = members()}, [&](int rank) {
    std::vector<int> ranks(static_cast<std::size_t>(members()));
    std::iota(ranks.begin(), ranks.end(), 0);
    RingMessages messages(MPI_COMM_WORLD, ranks, rank, at_once());
    for (int call = 0; call < 3; ++call) {
      const Letters sent = sent_by(rank, members());
      Letters received = room_for(rank, members());
      const int error = messages.exchange(
          tag, [&](int member) { return std::span<const std::byte>(sent[static_cast<std::size_t>(member)]); },
          [&](int member) { return std::span<std::byte>(received[static_cast<std::size_t>(member)]); });
      EXPECT_EQ(error, MPI_SUCCESS);
      expect_all_but_own(received, rank, members());
      EXPECT_EQ(messages.take_sent_bytes(), bytes_of_all_but(sent, rank));
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(OfMembers, ARing,
                         ::testing::Combine(::testing::Values(1, 2, 3, 7), ::testing::Values(1, 2, 64)));

TEST(RingMessages, GoAmongTheRanksThatAreNamed) {
  const Outcome outcome = run_ranks({.ranks = 5}, [&](int rank) {
    const std::vector<int> ranks = {4, 0, 3};
    const auto own = static_cast<int>(std::find(ranks.begin(), ranks.end(), rank) - ranks.begin());
    if (own == 3) return;
    RingMessages messages(MPI_COMM_WORLD, ranks, own, 2);
    const std::array sent = {std::byte(rank)};
    std::array<std::byte, 3> received = {std::byte(99), std::byte(99), std::byte(99)};
    int error = messages.start(
        tag, [&](int) { return std::span<const std::byte>(sent); },
        [&](int member) { return std::span(received).subspan(static_cast<std::size_t>(member), 1); });
    if (error == MPI_SUCCESS) error = messages.wait();
    EXPECT_EQ(error, MPI_SUCCESS);
    for (int member = 0; member < 3; ++member) {
      const int expected = member == own ? 99 : ranks[static_cast<std::size_t>(member)];
      EXPECT_EQ(received[static_cast<std::size_t>(member)], std::byte(expected));
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
