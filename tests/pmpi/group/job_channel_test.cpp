// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "pmpi/group/job_channel.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/pmpi/ranks.hpp"

namespace airamp::pmpi {
namespace {

constexpr int step = JobChannel::tags_of_algorithm;

std::optional<int> agreed_tag(MPI_Comm comm) {
  const Result<std::optional<int>> tag = job_channel().agree_on_tag(comm);
  EXPECT_EQ(tag.error(), MPI_SUCCESS);
  return tag.ok() ? *tag : std::nullopt;
}

class Tags : public ::testing::TestWithParam<bool> {};

TEST_P(Tags, AreTheSameOnAllRanksAndNeverTwiceTheSame) {
  const Outcome outcome = run_ranks({.ranks = 3, .threads = GetParam()}, [&](int rank) {
    const AirampRank airamp;
    MPI_Comm part = MPI_COMM_NULL;
    native().Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &part);
    std::set<int> met;
    for (int i = 0; i < 4; ++i) {
      for (MPI_Comm comm : {part, MPI_COMM_WORLD}) {
        if (comm == MPI_COMM_NULL) continue;
        const std::optional<int> tag = agreed_tag(comm);
        ASSERT_TRUE(tag.has_value());
        EXPECT_TRUE(met.insert(*tag).second);
        std::array<int, 2> extremes = {*tag, -*tag};
        native().MPI_Allreduce(MPI_IN_PLACE, extremes.data(), 2, MPI_INT, MPI_MAX, comm);
        EXPECT_EQ(extremes[0], -extremes[1]);
      }
    }
  });
  EXPECT_EQ(outcome.trouble, "");
}

INSTANTIATE_TEST_SUITE_P(OneOrSeveralThreads, Tags, ::testing::Bool());

// Collectives that a program has begun on MPI_COMM_WORLD on some ranks alone are not met.
TEST(JobChannel, GathersBesideThePrograms) {
  constexpr int ranks = 3;
  const Outcome outcome = run_ranks({.ranks = ranks}, [&](int rank) {
    const AirampRank airamp;
    const int one = 1;
    int sum = 0;
    MPI_Request started = MPI_REQUEST_NULL;
    const auto start = [&] { native().MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &started); };
    if (rank == 1) start();
    const int own = 10 + rank;
    std::vector<int> all(ranks);
    EXPECT_EQ(job_channel().gather(&own, sizeof own, all.data()), MPI_SUCCESS);
    EXPECT_THAT(all, rank == 0 ? ::testing::ElementsAre(10, 11, 12) : ::testing::ElementsAre(0, 0, 0));
    if (rank != 1) start();
    native().MPI_Wait(&started, MPI_STATUS_IGNORE);
    EXPECT_EQ(sum, ranks);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(JobChannel, TagsComeRoundAgainWhereOneThreadCallsMpi) {
  const Outcome outcome = run_ranks({.ranks = 2, .largest_tag = 3 * step}, [&](int) {
    const AirampRank airamp;
    std::vector<int> tags;
    for (int i = 0; i < 5; ++i) {
      tags.push_back(agreed_tag(MPI_COMM_WORLD).value_or(-1));
    }
    EXPECT_THAT(tags, ::testing::ElementsAre(0, step, 2 * step, 0, step));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(JobChannel, TagsRunOutWhereSeveralThreadsCallMpi) {
  const Outcome outcome = run_ranks({.ranks = 2, .threads = true, .largest_tag = 2 * step}, [&](int) {
    const AirampRank airamp;
    std::vector<bool> had;
    for (int i = 0; i < 3; ++i) {
      had.push_back(agreed_tag(MPI_COMM_WORLD).has_value());
    }
    EXPECT_THAT(had, ::testing::ElementsAre(true, true, false));
  });
  EXPECT_EQ(outcome.trouble, "");
}

// What is posted ahead for one plan must not take what is sent for another.
TEST(JobChannel, TagsRunOutWhereReceivesArePostedAhead) {
  const Outcome outcome = run_ranks({.ranks = 2, .largest_tag = 2 * step}, [&](int) {
    const AirampRank airamp({.pola_post_receives = true});
    std::vector<bool> had;
    for (int i = 0; i < 3; ++i) {
      had.push_back(agreed_tag(MPI_COMM_WORLD).has_value());
    }
    EXPECT_THAT(had, ::testing::ElementsAre(true, true, false));
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(JobChannel, RoutesNameRanksOfTheJob) {
  const Outcome outcome = run_ranks({.ranks = 4}, [&](int rank) {
    const AirampRank airamp;
    MPI_Comm reversed = MPI_COMM_NULL;
    native().Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    EXPECT_THAT(job_channel().route(reversed, 6).ranks, ::testing::ElementsAre(3, 2, 1, 0));
    EXPECT_EQ(job_channel().route(reversed, 6).tag, 6);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(JobChannel, KnowsTheRanksOfAHost) {
  const Outcome outcome = run_ranks({.ranks = 5, .ranks_per_host = 3}, [&](int rank) {
    const AirampRank airamp;
    EXPECT_EQ(job_channel().ranks_on_host(), rank < 3 ? 3 : 2);
  });
  EXPECT_EQ(outcome.trouble, "");
}

TEST(JobChannel, ErrorsOfMpiAreReturned) {
  const Outcome outcome = run_ranks(
      {.ranks = 2, .failures = {{.function = "Comm_dup", .rank = 0}, {.function = "Comm_split_type", .rank = 1}}},
      [&](int rank) {
        native().Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        if (rank == 0) {
          EXPECT_NE(job_channel().open(), MPI_SUCCESS);
        } else {
          EXPECT_EQ(job_channel().ranks_on_host(), 0);
        }
      });
  EXPECT_FALSE(outcome.ended);
}

}  // namespace
}  // namespace airamp::pmpi
