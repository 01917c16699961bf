// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/host/kept_host_groups.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "pmpi/job/communicator_key.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int ranks = 3;

/// Of all ranks, in which this one has that number.
MPI_Comm new_communicator(int place) {
  MPI_Comm comm = MPI_COMM_NULL;
  native().Comm_split(MPI_COMM_WORLD, 0, place, &comm);
  return comm;
}

/// That of a communicator which is freed at once: groups do not need it.
std::shared_ptr<HostGroup> group_of(int place, int size = ranks) {
  MPI_Comm comm = new_communicator(place);
  const Result<Made<std::shared_ptr<HostGroup>>> group = find_or_create_host_group(comm, place, size, {});
  native().MPI_Comm_free(&comm);
  return group.ok() ? group->made : nullptr;
}

/// Which memory it has.
std::uint64_t memory_of(const std::shared_ptr<HostGroup>& group) { return group->meeting().memory().token(); }

/// `body` on each rank, and whether it leaves nothing.
template <class Body>
void on_ranks(const Body& body) {
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    const AirampRank airamp;
    body(rank);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

/// The memory of a first group, with which `change` does something, and of a later one of the same ranks.
template <class Change>
std::pair<std::uint64_t, std::uint64_t> first_and_later(int rank, const Change& change) {
  std::shared_ptr<HostGroup> group = group_of(rank);
  const std::uint64_t first = memory_of(group);
  change(*group);
  group.reset();
  return {first, memory_of(group_of(rank))};
}

TEST(KeptHostGroups, GoOnWhereTheCommunicatorBeforeEnded) {
  on_ranks([](int rank) {
    std::shared_ptr<HostGroup> group = group_of(rank);
    const std::uint64_t memory = memory_of(group);
    for (int meeting = 0; meeting < 5; ++meeting) EXPECT_TRUE(group->meet());
    group.reset();
    group = group_of(rank);
    EXPECT_EQ(memory_of(group), memory);
    EXPECT_EQ(group->meeting().meetings(), 5U);
    for (int meeting = 0; meeting < 5; ++meeting) EXPECT_TRUE(group->meet());
  });
}

TEST(KeptHostGroups, AreNotSharedByCommunicatorsThatLiveAtTheSameTime) {
  on_ranks([](int rank) {
    const std::shared_ptr<HostGroup> first = group_of(rank);
    const std::shared_ptr<HostGroup> second = group_of(rank);
    EXPECT_NE(memory_of(first), memory_of(second));
  });
}

TEST(KeptHostGroups, AreThoseOfTheSameRanksInTheSameOrder) {
  on_ranks([](int rank) {
    const std::uint64_t straight = memory_of(group_of(rank));
    const std::uint64_t reversed = memory_of(group_of(ranks - 1 - rank));
    EXPECT_NE(reversed, straight);
    EXPECT_EQ(memory_of(group_of(rank)), straight);
    EXPECT_EQ(memory_of(group_of(ranks - 1 - rank)), reversed);
  });
}

TEST(KeptHostGroups, KeepLongPlacesAsTheyAre) {
  on_ranks([](int rank) {
    std::size_t bytes = 0;
    const auto [first, later] = first_and_later(rank, [&](HostGroup& group) {
      MPI_Comm comm = new_communicator(rank);
      EXPECT_TRUE(*group.widen({comm, rank}));
      native().MPI_Comm_free(&comm);
      bytes = group.chunk_bytes();
    });
    EXPECT_EQ(first, later);
    EXPECT_EQ(group_of(rank)->chunk_bytes(), bytes);
  });
}

// Of so many ranks not all are looked at to tell orders apart.
TEST(KeptHostGroups, AreThoseOfTheSameRanksInTheSameOrderOfMany) {
  constexpr int many = 66;
  constexpr int one = 32;
  constexpr int other = 65;
  const Outcome outcome = run_ranks({.ranks = many}, [&](int rank) {
    const AirampRank airamp;
    const auto members_in_place = [](int place) {
      MPI_Comm comm = new_communicator(place);
      const std::uint64_t members = members_of(comm, false);
      native().MPI_Comm_free(&comm);
      return members;
    };
    const int later = rank == one ? other : rank == other ? one : rank;
    EXPECT_EQ(members_in_place(rank), members_in_place(later));
    const std::uint64_t memory = memory_of(group_of(rank, many));
    EXPECT_NE(memory_of(group_of(later, many)), memory);
  });
  EXPECT_EQ(outcome.trouble, "");
}

// What one rank has gone by, the others would wait for.
TEST(KeptHostGroups, AreMadeAnewWhereARankIsElsewhere) {
  on_ranks([](int rank) {
    const auto [first, later] = first_and_later(rank, [&](HostGroup& group) {
      if (rank == 1) group.meeting().pass_by();
    });
    EXPECT_NE(first, later);
  });
  on_ranks([](int rank) {
    const auto [first, later] = first_and_later(rank, [&](HostGroup& group) {
      if (rank == 1) group.broadcasts()->next();
    });
    EXPECT_NE(first, later);
  });
  on_ranks([](int rank) {
    const auto [first, later] = first_and_later(rank, [&](HostGroup& group) {
      if (rank == 1) group.contributions()->next(0);
    });
    EXPECT_NE(first, later);
  });
}

TEST(KeptHostGroups, AreMadeAnewWhereARankHasNoneAnyMore) {
  on_ranks([](int rank) {
    const std::uint64_t first = memory_of(group_of(rank));
    if (rank == 2) release_kept_host_groups();
    const std::uint64_t later = memory_of(group_of(rank));
    EXPECT_NE(first, later);
    EXPECT_EQ(memory_of(group_of(rank)), later);
  });
}

TEST(KeptHostGroups, AreNotThoseOfWhichARankHasGivenUp) {
  const std::vector<void (*)(HostGroup&)> ends = {[](HostGroup& group) { group.meeting().revoke(); },
                                                  [](HostGroup& group) { group.meeting().give_up(); },
                                                  [](HostGroup& group) {
                                                    group.broadcasts()->next();
                                                    group.broadcasts()->leave_none();
                                                  }};
  for (const auto end : ends) {
    on_ranks([&](int rank) {
      const auto [first, later] = first_and_later(rank, [&](HostGroup& group) {
        if (rank == 0) end(group);
      });
      EXPECT_NE(first, later);
    });
  }
}

TEST(KeptHostGroups, AreTheLatestSixteen) {
  on_ranks([](int rank) {
    constexpr std::size_t many = 18;
    std::vector<std::shared_ptr<HostGroup>> groups(many);
    std::vector<std::uint64_t> memories;
    for (auto& group : groups) {
      group = group_of(rank);
      memories.push_back(memory_of(group));
    }
    for (auto& group : groups) group.reset();
    for (auto& group : groups) group = group_of(rank);
    for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(memory_of(groups[i]), memories[many - 1 - i]);
    for (std::size_t i = 16; i < many; ++i)
      EXPECT_EQ(std::count(memories.begin(), memories.end(), memory_of(groups[i])), 0);
  });
}

}  // namespace
}  // namespace airamp::pmpi
