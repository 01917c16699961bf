// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/times_agreement.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using ::testing::ElementsAre;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(TimesAgreement, TakesTheLargestAndNaNAsInfinite) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    TimesAgreement times;
    ASSERT_EQ(times.prepare(4), MPI_SUCCESS);
    const Result<std::vector<double>> all =
        times.agree(MPI_COMM_WORLD, {1.0 * rank, rank == 1 ? NAN : 1.0, infinity, -0.5});
    ASSERT_TRUE(all.ok());
    EXPECT_THAT(*all, ElementsAre(2, infinity, infinity, -0.5));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(TimesAgreement, WhoLeavesWaitsForNobodyAndTheOthersHearThatItHasNone) {
  const Outcome outcome = run_ranks({.ranks = 3}, [](int rank) {
    MPI_Comm duplicate = MPI_COMM_NULL;
    native().Comm_dup(MPI_COMM_WORLD, &duplicate);
    TimesAgreement times;
    for (int leaver = 0; leaver < 3; ++leaver) {
      ASSERT_EQ(times.prepare(2), MPI_SUCCESS);
      int word = rank;
      const int root = leaver;
      if (rank == leaver) {
        times.leave(MPI_COMM_WORLD);
        native().MPI_Bcast(&word, 1, MPI_INT, root, duplicate);  // the others wait for it before they agree
      } else {
        native().MPI_Bcast(&word, 1, MPI_INT, root, duplicate);
        const Result<std::vector<double>> all = times.agree(MPI_COMM_WORLD, {1, 2});
        ASSERT_TRUE(all.ok());
        EXPECT_THAT(*all, ElementsAre(infinity, infinity));
      }
      EXPECT_EQ(word, root);
    }
    ASSERT_EQ(times.settle(), MPI_SUCCESS);
    ASSERT_EQ(times.prepare(1), MPI_SUCCESS);
    const Result<std::vector<double>> all = times.agree(MPI_COMM_WORLD, {1.0 * rank});
    ASSERT_TRUE(all.ok());
    EXPECT_THAT(*all, ElementsAre(2));
    native().MPI_Comm_free(&duplicate);
  });
  EXPECT_EQ(outcome.trouble, "");
}

/// As where the call has failed everywhere.
TEST(TimesAgreement, AllMayLeave) {
  const Outcome outcome = run_ranks({.ranks = 4}, [](int) {
    TimesAgreement times;
    for (int i = 0; i < 3; ++i) {
      ASSERT_EQ(times.prepare(3), MPI_SUCCESS);
      times.leave(MPI_COMM_WORLD);
    }
    EXPECT_EQ(times.settle(), MPI_SUCCESS);
  });
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
