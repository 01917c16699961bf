// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/state/communicator_policy.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <map>

#include "pmpi/job/job.hpp"
#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

using Keys = std::map<std::string, std::string>;
using ::airamp::testing::make_info;

/// The policy of every rank after each has given its keys.
std::vector<CommunicatorPolicy> policies(const std::function<Keys(int rank)>& keys) {
  std::vector<CommunicatorPolicy> all(3);
  const Outcome outcome = run_ranks({.ranks = 3}, [&](int rank) {
    const AirampRank airamp;
    EXPECT_EQ(take_policy(MPI_COMM_WORLD, make_info(keys(rank))), MPI_SUCCESS);
    all[static_cast<std::size_t>(rank)] = communicator_state(MPI_COMM_WORLD)->policy;
  });
  EXPECT_EQ(outcome.trouble, "");
  return all;
}

TEST(CommunicatorPolicy, KeysThatAllRanksGiveCount) {
  const CommunicatorPolicy wanted{
      .compress = true, .max_relative_error = 0.25, .pola = false, .force = config::Force::mpi_two_shot};
  EXPECT_THAT(policies([](int) {
                return Keys{{"airamp_compress", "true"},
                            {"airamp_max_relative_error", "0.25"},
                            {"airamp_pola", "0"},
                            {"airamp_force", "mpi-two-shot"}};
              }),
              ::testing::Each(wanted));
}

TEST(CommunicatorPolicy, KeysThatRanksGiveDifferentlyCountForNone) {
  EXPECT_THAT(policies([](int rank) {
                return Keys{{"airamp_compress", rank == 2 ? "false" : "true"}};
              }),
              ::testing::Each(CommunicatorPolicy{}));
  EXPECT_THAT(policies([](int rank) {
                return rank == 0 ? Keys{{"airamp_pola", "true"}} : Keys{};
              }),
              ::testing::Each(CommunicatorPolicy{}));
}

TEST(CommunicatorPolicy, ValuesThatAreNoneAreIgnored) {
  EXPECT_THAT(policies([](int) {
                return Keys{{"airamp_compress", "perhaps"},
                            {"airamp_max_relative_error", "2"},
                            {"airamp_force", "native"},
                            {"other", "true"}};
              }),
              ::testing::Each(CommunicatorPolicy{}));
}

TEST(CommunicatorPolicy, DuplicatesInheritIt) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int) {
    const AirampRank airamp;
    take_policy(MPI_COMM_WORLD, make_info({{"airamp_compress", "true"}}));
    EXPECT_TRUE(job().communicators_opted_in);
    MPI_Comm copy = MPI_COMM_NULL;
    EXPECT_EQ(native().Comm_dup(MPI_COMM_WORLD, &copy), MPI_SUCCESS);
    ASSERT_NE(find_communicator_state(copy), nullptr);
    EXPECT_EQ(find_communicator_state(copy)->policy.compress, true);
    EXPECT_EQ(communicator_state(copy), find_communicator_state(copy));
    EXPECT_EQ(end_communicator_state(copy), MPI_SUCCESS);
    EXPECT_EQ(find_communicator_state(copy), nullptr);
    native().MPI_Comm_free(&copy);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(CommunicatorPolicy, WhatWasDecidedUnderAnotherIsDecidedAnew) {
  const Outcome outcome = run_ranks({.ranks = 2}, [&](int rank) {
    const AirampRank airamp(opted_in());
    ::airamp::testing::set_costs({.collective_seconds = 1});
    for (int call = 0; call < 6; ++call) {
      std::vector<float> values = contribution(rank, 2000);
      allreduce(values);
    }
    EXPECT_EQ(only_signature()->tuner.choice(), 0);
    take_policy(MPI_COMM_WORLD, make_info({{"airamp_max_relative_error", "0.0001"}}));
    EXPECT_TRUE(only_signature()->outdated);
    for (int call = 0; call < 6; ++call) {
      std::vector<float> values = contribution(rank, 2000);
      allreduce(values);
    }
    EXPECT_EQ(only_signature()->tuner.choice(), tuner::SignatureTuner::native_choice);
    EXPECT_FALSE(only_signature()->outdated);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(CommunicatorPolicy, ErrorsOfMpiAreReturned) {
  const Outcome outcome =
      run_ranks({.ranks = 2, .failures = {{.function = "Allreduce", .rank = 0, .code = MPI_ERR_NO_MEM}}}, [](int rank) {
        const AirampRank airamp;
        const int error = take_policy(MPI_COMM_WORLD, make_info({}));
        EXPECT_EQ(error == MPI_ERR_NO_MEM, rank == 0);
        EXPECT_NE(error, MPI_SUCCESS);
      });
  EXPECT_TRUE(outcome.ended);
}

}  // namespace
}  // namespace airamp::pmpi
