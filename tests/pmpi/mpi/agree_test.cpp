// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/mpi/agree.hpp"

#include <gtest/gtest.h>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

TEST(Agree, SuccessIsThatOfAllRanks) {
  const Outcome outcome = run_ranks({.ranks = 5}, [](int rank) {
    for (int failing = 0; failing <= 5; ++failing) {
      const Result<bool> all = agree_on_success(MPI_COMM_WORLD, rank != failing);
      ASSERT_TRUE(all.ok());
      EXPECT_EQ(*all, failing == 5);
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Agree, TheLeastIsThatOfAllRanks) {
  const Outcome outcome = run_ranks({.ranks = 4}, [](int rank) {
    const Result<int> least = agree_on_least(MPI_COMM_WORLD, 10 - rank);
    ASSERT_TRUE(least.ok());
    EXPECT_EQ(*least, 7);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Agree, NumbersAreEqualIfTheyAreOnAllRanks) {
  const Outcome outcome = run_ranks({.ranks = 4}, [](int rank) {
    constexpr std::uint64_t greatest = ~std::uint64_t{0};
    const auto number = static_cast<std::uint64_t>(rank);
    const auto equal = agree_on_equality(MPI_COMM_WORLD, std::array{greatest, number, std::uint64_t{0}, number / 3});
    ASSERT_TRUE(equal.ok());
    EXPECT_EQ(*equal, (std::array{true, false, true, false}));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(Agree, ErrorsOfMpiAreReturned) {
  const Outcome outcome =
      run_ranks({.ranks = 2, .failures = {{.function = "Allreduce", .rank = 1, .code = MPI_ERR_NO_MEM}}}, [](int rank) {
        const int error = agree_on_success(MPI_COMM_WORLD, true).error();
        EXPECT_EQ(error == MPI_ERR_NO_MEM, rank == 1);
        EXPECT_NE(error, MPI_SUCCESS);
      });
  EXPECT_TRUE(outcome.ended);
  EXPECT_EQ(outcome.trouble, "");
}

}  // namespace
}  // namespace airamp::pmpi
