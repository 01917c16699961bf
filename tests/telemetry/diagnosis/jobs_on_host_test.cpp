// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/jobs_on_host.hpp"

#include <gmock/gmock.h>

namespace airamp::telemetry {
namespace {

using testing::ElementsAre;

RankSnapshot rank_of(const std::string& owner, const std::string& job, int rank) {
  return {.job = job, .owner = owner, .rank = rank, .size = 8, .alive = true, .observable = true};
}

std::vector<std::string> names(const std::vector<JobOnHost>& jobs) {
  std::vector<std::string> list;
  list.reserve(jobs.size());
  for (const JobOnHost& job : jobs) list.push_back(job.owner + "/" + job.name);
  return list;
}

TEST(JobsOnHost, that_may_run_come_first) {
  std::vector<RankSnapshot> ranks = {rank_of("a", "gone", 0),      rank_of("a", "finalized", 0),
                                     rank_of("a", "half gone", 0), rank_of("a", "half gone", 1),
                                     rank_of("b", "container", 0), rank_of("a", "running", 0)};
  ranks[0].alive = false;
  ranks[1].alive = false;
  ranks[1].finalized = true;
  ranks[2].alive = false;
  ranks[4].observable = false;
  const std::vector<JobOnHost> jobs = jobs_on_host(ranks);
  EXPECT_THAT(names(jobs), ElementsAre("a/half gone", "a/running", "b/container", "a/finalized", "a/gone"));
  EXPECT_FALSE(jobs[2].over);
  EXPECT_TRUE(jobs[3].over);
}

TEST(JobsOnHost, of_several_users_are_several_whatever_they_are_called) {
  const std::vector<RankSnapshot> ranks = {rank_of("b", "job", 0), rank_of("a", "job", 0)};
  const std::vector<JobOnHost> jobs = jobs_on_host(ranks);
  ASSERT_THAT(names(jobs), ElementsAre("a/job", "b/job"));
  EXPECT_THAT(jobs[0].ranks, ElementsAre(&ranks[1]));
}

TEST(JobsOnHost, have_each_rank_once_and_in_order) {
  std::vector<RankSnapshot> ranks = {rank_of("", "job", 3), rank_of("", "job", 1), rank_of("", "job", 1)};
  ranks[1].alive = false;
  const std::vector<JobOnHost> jobs = jobs_on_host(ranks);
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_THAT(jobs[0].ranks, ElementsAre(&ranks[2], &ranks[0]));
}

}  // namespace
}  // namespace airamp::telemetry
