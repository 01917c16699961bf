// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "testing/in_process_mpi/exploration.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "pmpi/mpi/native.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {
namespace {

using pmpi::native;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Explored {
  std::size_t schedules = 0;  ///< to their end
  std::set<std::string> troubles;
  std::size_t messages_left = 0;
};

/// All schedules of two ranks.
Explored explore(Sends sends, const std::function<void(int rank)>& body) {
  Explored explored;
  Exploration exploration(sends);
  do {
    const Outcome outcome = run_ranks({.ranks = 2, .scheduler = &exploration}, body);
    if (exploration.redundant()) continue;
    ++explored.schedules;
    explored.troubles.insert(outcome.trouble);
    explored.messages_left += outcome.messages_left;
  } while (exploration.advance());
  return explored;
}

/// Rank 0 sends a number to rank 1. `between`: start and wait. Whether the run was not given up meanwhile.
bool exchange(int rank, int tag, int& number, const std::function<void(MPI_Request&)>& between) {
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) native().Send_init(&number, 1, MPI_INT, 1, tag, MPI_COMM_WORLD, &request);
  if (rank == 1) native().Recv_init(&number, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
  native().MPI_Start(&request);
  between(request);
  const bool done = native().MPI_Wait(&request, MPI_STATUS_IGNORE) == MPI_SUCCESS;
  native().MPI_Request_free(&request);
  return done;
}

TEST(Exploration, OrdersThatMakeNoDifferenceAreOne) {
  const Explored explored = explore(Sends::with_bytes, [](int) {
    for (int round = 0; round < 4; ++round) native().MPI_Barrier(MPI_COMM_WORLD);
  });
  EXPECT_EQ(explored.schedules, 1U);
  EXPECT_THAT(explored.troubles, ElementsAre(""));
}

// The message comes before the look or after it.
TEST(Exploration, AMessageHasComeOrNot) {
  std::set<int> seen;
  const Explored explored = explore(Sends::with_bytes, [&](int rank) {
    int number = rank == 0 ? 7 : 0;
    exchange(rank, 0, number, [&](MPI_Request& request) {
      int there = 0;
      if (rank == 1) native().MPI_Test(&request, &there, MPI_STATUS_IGNORE);
      if (rank == 1) seen.insert(there);
    });
  });
  EXPECT_THAT(seen, ElementsAre(0, 1));
  EXPECT_THAT(explored.troubles, ElementsAre(""));
}

// A send without its bytes reads its buffer before the change or after it; one with its bytes before it.
TEST(Exploration, ABufferIsReadAtAnyTime) {
  for (const Sends sends : {Sends::with_bytes, Sends::without_bytes}) {
    std::set<int> received;
    explore(sends, [&](int rank) {
      int number = rank == 0 ? 7 : 0;
      const bool done = exchange(rank, 0, number, [&](MPI_Request&) {
        native().MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) number = 8;
      });
      if (done && rank == 1) received.insert(number);
    });
    if (sends == Sends::with_bytes) {
      EXPECT_THAT(received, ElementsAre(7));
    } else {
      EXPECT_THAT(received, ElementsAre(7, 8));
    }
  }
}

TEST(Exploration, SendsThatWaitForEachOtherAreADeadlock) {
  const auto both_send_first = [](int rank) {
    int sent = 1;
    int received = 0;
    MPI_Request send = MPI_REQUEST_NULL;
    MPI_Request receive = MPI_REQUEST_NULL;
    native().Send_init(&sent, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &send);
    native().Recv_init(&received, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &receive);
    for (MPI_Request* const request : {&send, &receive}) {
      native().MPI_Start(request);
      native().MPI_Wait(request, MPI_STATUS_IGNORE);
      native().MPI_Request_free(request);
    }
  };
  EXPECT_THAT(explore(Sends::with_bytes, both_send_first).troubles, ElementsAre(""));
  EXPECT_THAT(explore(Sends::without_bytes, both_send_first).troubles, ElementsAre(HasSubstr("all ranks wait")));
}

TEST(Exploration, WhatNobodyReceivesIsLeft) {
  const Explored explored = explore(Sends::with_bytes, [](int rank) {
    int number = 0;
    if (rank == 0) exchange(rank, 0, number, [](MPI_Request&) {});
  });
  EXPECT_THAT(explored.troubles, ElementsAre(""));
  EXPECT_EQ(explored.messages_left, explored.schedules);
}

TEST(Exploration, ASchedulesTextIsTheSchedule) {
  EXPECT_EQ(text_of({0, 1, 12}), "0.1.12");
  EXPECT_THAT(schedule_of("0.1.12"), ElementsAre(0, 1, 12));
  EXPECT_TRUE(schedule_of("").empty());
}

}  // namespace
}  // namespace airamp::testing
