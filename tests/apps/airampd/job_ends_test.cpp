// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/job_ends.hpp"

#include <gmock/gmock.h>

namespace airamp::sidecar {
namespace {

using telemetry::RankSnapshot;
using testing::IsEmpty;
using testing::SizeIs;

constexpr double start = 1.8e9;  // seconds since the Unix epoch

/// A rank that left a collective after 100 seconds, as seen after `seconds`.
RankSnapshot rank_after(double seconds, bool alive) {
  return {.job = "job",
          .size = 1,
          .alive = alive,
          .started_seconds = start,
          .now_seconds = start + seconds,
          .flights = {{.entered_seconds = start + 99, .left_seconds = start + 100}},
          .observable = true};
}

std::vector<RankSnapshot> shown(JobEnds& ends, std::vector<RankSnapshot> ranks) {
  ends.remove_ended(ranks);
  return ranks;
}

TEST(JobEnds, are_forgotten_after_a_while) {
  JobEnds ends;
  EXPECT_THAT(shown(ends, {rank_after(100 + JobEnds::shown_seconds, false)}), SizeIs(1));
  EXPECT_THAT(shown(ends, {rank_after(101 + JobEnds::shown_seconds, false)}), IsEmpty());
}

TEST(JobEnds, count_from_when_the_job_was_last_seen_running) {
  JobEnds ends;
  EXPECT_THAT(shown(ends, {rank_after(50000, true)}), SizeIs(1));
  EXPECT_THAT(shown(ends, {rank_after(50000 + JobEnds::shown_seconds, false)}), SizeIs(1));
  EXPECT_THAT(shown(ends, {rank_after(50001 + JobEnds::shown_seconds, false)}), IsEmpty());
}

TEST(JobEnds, count_from_MPI_Finalize) {
  JobEnds ends;
  RankSnapshot rank = rank_after(1000 + JobEnds::shown_seconds, false);
  rank.finalized = true;
  rank.finalized_seconds = start + 1000;
  EXPECT_THAT(shown(ends, {rank}), SizeIs(1));
  rank.now_seconds += 1;
  EXPECT_THAT(shown(ends, {rank}), IsEmpty());
}

TEST(JobEnds, are_not_there_while_a_rank_runs) {
  JobEnds ends;
  std::vector<RankSnapshot> ranks = {rank_after(1e6, true), rank_after(1e6, false)};
  ranks[1].rank = 1;
  EXPECT_THAT(shown(ends, ranks), SizeIs(2));
}

TEST(JobEnds, of_processes_that_cannot_be_seen_are_believed_after_a_day) {
  JobEnds ends;
  RankSnapshot rank = rank_after(100 + JobEnds::unseen_seconds, true);
  rank.observable = false;
  EXPECT_THAT(shown(ends, {rank}), SizeIs(1));
  rank.now_seconds += 1;
  EXPECT_THAT(shown(ends, {rank}), IsEmpty());
}

TEST(JobEnds, are_each_users_own) {
  JobEnds ends;
  std::vector<RankSnapshot> ranks = {rank_after(1e6, true), rank_after(1e6, false)};
  ranks[0].owner = "alice";
  ranks[1].owner = "mallory";
  const std::vector<RankSnapshot> left = shown(ends, ranks);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_EQ(left[0].owner, "alice");
}

}  // namespace
}  // namespace airamp::sidecar
