// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <vector>

#include "pmpi/mpi/native.hpp"
#include "testing/in_process_mpi/in_process_mpi.hpp"

namespace airamp::testing {
namespace {

using pmpi::native;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Ne;

TEST(InProcessFailures, EndTheJobWhereErrorsAreFatal) {
  std::vector<int> errors(3);
  const Outcome outcome = run_ranks(
      {.ranks = 3, .failures = {{.function = "Barrier", .rank = 1, .call = 2, .code = MPI_ERR_NO_MEM}}}, [&](int rank) {
        EXPECT_EQ(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
        errors[static_cast<std::size_t>(rank)] = native().MPI_Barrier(MPI_COMM_WORLD);
      });
  EXPECT_THAT(errors, ElementsAre(Ne(MPI_SUCCESS), MPI_ERR_NO_MEM, Ne(MPI_SUCCESS)));
  EXPECT_TRUE(outcome.ended);
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessFailures, AreReturnedWhereErrorsAreReturned) {
  const Outcome outcome = run_ranks({.ranks = 2, .failures = {{.function = "Comm_size", .rank = 0}}}, [&](int rank) {
    native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int size = 0;
    EXPECT_EQ(native().Comm_size(MPI_COMM_WORLD, &size), rank == 0 ? MPI_ERR_INTERN : MPI_SUCCESS);
    EXPECT_EQ(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
  });
  EXPECT_FALSE(outcome.ended);
  EXPECT_EQ(outcome.trouble, "");
}

TEST(InProcessFailures, ADeadlockSaysWhoWaitsForWhat) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    if (rank == 0) {
      EXPECT_NE(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
      return;
    }
    int value = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    native().Recv_init(&value, sizeof value, MPI_BYTE, 0, 3, MPI_COMM_WORLD, &request);
    native().MPI_Start(&request);
    EXPECT_NE(native().MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  });
  EXPECT_THAT(outcome.trouble,
              AllOf(HasSubstr("rank 0 in Barrier"), HasSubstr("rank 1 in MPI_Wait for a receive from rank 0, tag 3")));
}

TEST(InProcessFailures, RanksThatAskInVainDoSoNotForEver) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    if (rank == 1) return;
    int sum = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    native().MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
    int done = 0;
    while (native().MPI_Test(&request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0) {
    }
    EXPECT_EQ(done, 0);
  });
  EXPECT_THAT(outcome.trouble, HasSubstr("no rank gets on: rank 0 polls"));
}

TEST(InProcessFailures, AnExceptionEndsTheRun) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    if (rank == 1) throw std::bad_alloc();
    EXPECT_NE(native().MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
  });
  EXPECT_THAT(outcome.trouble, HasSubstr("rank 1 threw"));
}

}  // namespace
}  // namespace airamp::testing
