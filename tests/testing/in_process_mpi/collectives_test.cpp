// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <array>
#include <numeric>
#include <vector>

#include "pmpi/mpi/native.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {
namespace {

using pmpi::native;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(InProcessCollectives, ReduceTheContributionsOfAllRanks) {
  const Outcome outcome = run_ranks({.ranks = 5}, [](int rank) {
    std::array<int, 2> values = {rank, -rank};
    EXPECT_EQ(native().MPI_Allreduce(MPI_IN_PLACE, values.data(), 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_THAT(values, ElementsAre(4, 0));
    const double own = rank;
    double sum = 0;
    EXPECT_EQ(native().MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(sum, 10);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, ReduceToTheRootAlone) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    const int own = rank + 1;
    int sum = -1;
    EXPECT_EQ(native().MPI_Reduce(&own, &sum, 1, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(sum, rank == 1 ? 6 : -1);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, GatherAndBroadcast) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    std::array<int, 3> all{};
    EXPECT_EQ(native().MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_THAT(all, ElementsAre(0, 1, 2));
    int value = rank + 7;
    EXPECT_EQ(native().MPI_Bcast(&value, 1, MPI_INT, 2, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(value, 9);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, GatherDifferentLengthsInPlace) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    constexpr std::array counts = {1, 0, 2};
    constexpr std::array displacements = {3, 0, 0};
    std::array<int, 4> all = {-1, -1, -1, -1};
    if (rank == 0) all[3] = 10;
    if (rank == 2) all[0] = all[1] = 12;
    EXPECT_EQ(native().MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all.data(), counts.data(),
                                      displacements.data(), MPI_INT, MPI_COMM_WORLD),
              MPI_SUCCESS);
    EXPECT_THAT(all, ElementsAre(12, 12, -1, 10));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, SplitByColorInTheOrderOfKeys) {
  const Outcome outcome = run_ranks({.ranks = 4}, [](int rank) {
    MPI_Comm part = MPI_COMM_NULL;
    EXPECT_EQ(native().Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part), MPI_SUCCESS);
    int own = -1;
    int size = -1;
    native().Comm_rank(part, &own);
    native().Comm_size(part, &size);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(own, rank < 2 ? 1 : 0);
    int sum = rank;
    EXPECT_EQ(native().MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_INT, MPI_SUM, part), MPI_SUCCESS);
    EXPECT_EQ(sum, rank % 2 == 0 ? 2 : 4);
    native().MPI_Comm_free(&part);
    EXPECT_EQ(part, MPI_COMM_NULL);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, OperationsOfTheApplicationsAreCalled) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    MPI_Op op = MPI_OP_NULL;
    native().MPI_Op_create(
        [](void* in, void* inout, int*, MPI_Datatype*) { *static_cast<int*>(inout) += 100 * *static_cast<int*>(in); },
        0, &op);
    int value = rank + 1;
    EXPECT_EQ(native().MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, op, MPI_COMM_WORLD), MPI_SUCCESS);
    EXPECT_EQ(value, 303);  // 3, then 100 * 2 + 3, then 100 * 1 + 203
    native().MPI_Op_free(&op);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessCollectives, DifferentOnesAreAMisuse) {
  const Outcome outcome = run_ranks({.ranks = 2}, [](int rank) {
    int value = 0;
    const int error =
        rank == 0 ? native().MPI_Barrier(MPI_COMM_WORLD) : native().MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    EXPECT_NE(error, MPI_SUCCESS);
  });
  EXPECT_THAT(outcome.trouble, HasSubstr(" meets "));
}

TEST(InProcessCollectives, DifferentLengthsAreAMisuse) {
  const Outcome outcome = run_ranks({.ranks = 2}, [](int rank) {
    std::array<int, 2> values{};
    EXPECT_NE(native().MPI_Allreduce(MPI_IN_PLACE, values.data(), rank + 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD),
              MPI_SUCCESS);
  });
  EXPECT_THAT(outcome.trouble, HasSubstr("different arguments"));
}

TEST(InProcessCollectives, RequestsOfThemEndWhenAllHaveStarted) {
  const Outcome outcome = run_ranks({.ranks = 4}, [](int rank) {
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    EXPECT_EQ(native().MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    for (int done = 0; done == 0;) EXPECT_EQ(native().MPI_Test(&request, &done, MPI_STATUS_IGNORE), MPI_SUCCESS);
    EXPECT_EQ(sum, 6);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
    EXPECT_EQ(native().MPI_Allreduce_init(&rank, &sum, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
              MPI_SUCCESS);
    for (int i = 0; i < 3; ++i) {
      sum = 0;
      EXPECT_EQ(native().MPI_Start(&request), MPI_SUCCESS);
      EXPECT_EQ(native().MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
      EXPECT_EQ(sum, 3);
    }
    native().MPI_Request_free(&request);
  });
  EXPECT_EQ(outcome.trouble, "");
  EXPECT_EQ(outcome.requests_left, 0U);
}

}  // namespace
}  // namespace airamp::testing
