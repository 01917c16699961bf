// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/hang_analysis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/diagnosis/rank_list.hpp"
#include "tests/telemetry/diagnosis/hanging_job.hpp"

namespace airamp::telemetry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = HangReport::Kind;

TEST(Hang, IsNotSuspectedWithoutRanksOrCollectives) {
  EXPECT_THAT(analyse_hang({}, HangingJob::patience).findings, IsEmpty());
  EXPECT_THAT(HangingJob(4).analyse().findings, IsEmpty());
}

TEST(Hang, IsNotSuspectedOfThoseWhoWaitedForAMoment) {
  HangingJob job(4);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 4.9);
  EXPECT_THAT(job.analyse().findings, IsEmpty());
}

TEST(Hang, NamesTheRankThatHasNotEntered) {
  HangingJob job(4);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 12.3);
  const HangReport report = job.analyse();
  EXPECT_FALSE(report.dead);
  ASSERT_THAT(report.findings, SizeIs(1));
  const HangReport::Finding& finding = report.findings[0];
  EXPECT_EQ(finding.kind, Kind::missing);
  EXPECT_EQ(finding.communicator, "MPI_COMM_WORLD");
  EXPECT_EQ(finding.sequence, 11U);
  EXPECT_THAT(finding.culprits, ElementsAre(3));
  EXPECT_THAT(finding.waiting, ElementsAre(0, 1, 2));
  EXPECT_NEAR(finding.waited_seconds, 12.3, 1e-6);
  EXPECT_EQ(
      finding.text,
      "rank 3 (host node1, pid 1003, sleeping) has not entered MPI_Allreduce number 11 on 'MPI_COMM_WORLD', where "
      "ranks 0-2 have been waiting for 12.3 s");
}

TEST(Hang, NamesAStoppedRankAtOnce) {
  HangingJob job(4);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 0.5);
  job[3].process_state = 'T';
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::stopped);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(3));
  EXPECT_THAT(report.findings[0].text, HasSubstr("stopped: state T in /proc) has not entered MPI_Allreduce number 11"));
}

TEST(Hang, NamesARankThatIsStoppedInsideTheCollective) {
  HangingJob job(4);
  for (int rank : {0, 1, 2, 3}) job.enter(rank, 1, "MPI_Allreduce", 30);
  job[2].process_state = 'T';
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::stopped);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2));
  EXPECT_THAT(report.findings[0].waiting, ElementsAre(0, 1, 3));
  EXPECT_THAT(report.findings[0].text, HasSubstr("takes part in MPI_Allreduce number 11"));
}

TEST(Hang, NamesARankThatIsGoneOrHasFinalized) {
  HangingJob job(4);
  for (int rank : {0, 1}) job.enter(rank, 1, "MPI_Barrier", 0.5);
  job[2].alive = false;
  job[2].process_state = 0;
  job[3].finalized = true;
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2, 3));
  EXPECT_THAT(report.findings[0].text, HasSubstr("rank 2 (host node1, pid 1002, gone: its process has ended)"));
  EXPECT_THAT(report.findings[0].text, HasSubstr("rank 3 (host node1, pid 1003, has called MPI_Finalize)"));
}

TEST(Hang, NamesRanksThatAreInAnotherCommunicator) {
  HangingJob job(4);
  for (int rank : {1, 3}) job.use(rank, 2, "odd", 2, 0);
  for (int rank : {0, 2, 3}) job.enter(rank, 1, "MPI_Allreduce", 60);
  job.enter(1, 2, "MPI_Barrier", 61);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::different_communicators);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(1));
  EXPECT_EQ(
      report.findings[0].text,
      "rank 1 (host node0, pid 1001, sleeping) is in MPI_Barrier number 1 on 'odd', and not in MPI_Allreduce number 11 "
      "on 'MPI_COMM_WORLD', where ranks 0, 2, 3 have been waiting for 60.0 s");
}

TEST(Hang, FollowsAChainToItsEnd) {
  // 0 and 1 wait in world for 2, which waits in "pair" for 3, which is in nothing.
  HangingJob job(4);
  for (int rank : {2, 3}) job.use(rank, 2, "pair", 2, 7);
  for (int rank : {0, 1}) job.enter(rank, 1, "MPI_Allreduce", 60);
  job.enter(2, 2, "MPI_Bcast", 61);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::missing);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(3));
}

TEST(Hang, NamesWhoeverCallsAnotherFunction) {
  HangingJob job(4);
  for (int rank : {0, 1, 3}) job.enter(rank, 1, "MPI_Allreduce", 60);
  job.enter(2, 1, "MPI_Bcast", 60);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::different_functions);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2));
  EXPECT_THAT(report.findings[0].text,
              HasSubstr("has called MPI_Bcast as collective number 11 on 'MPI_COMM_WORLD', the "
                        "others MPI_Allreduce; ranks 0, 1, 3 have been waiting for 60.0 s"));
}

TEST(Hang, NamesWhoeverHasLeftAnotherFunction) {
  // A small broadcast's root does not wait for anybody.
  HangingJob job(3);
  for (int rank : {0, 1}) job.enter(rank, 1, "MPI_Allreduce", 60);
  job.enter(2, 1, "MPI_Bcast", 0);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::different_functions);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2));
}

TEST(Hang, NamesRanksThatNeverUsedACommunicator) {
  HangingJob job(4);
  for (int rank : {0, 1}) job.use(rank, 2, "three", 3, 0);
  for (int rank : {0, 1}) job.enter(rank, 2, "MPI_Allreduce", 60);
  HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::missing);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2, 3));
  EXPECT_EQ(
      report.findings[0].text,
      "1 of rank 2 (host node1, pid 1002, sleeping) and rank 3 (host node1, pid 1003, sleeping) belong there and have "
      "not entered MPI_Allreduce number 1 on 'three', where ranks 0, 1 have been waiting for 60.0 s");
  // With one candidate alone it is that one.
  job.ranks.pop_back();
  for (RankSnapshot& rank : job.ranks) rank.size = 3;
  report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(2));
}

TEST(Hang, BlamesNobodyForRanksOfOtherHosts) {
  HangingJob job(4);
  for (int rank : {0, 1}) job.enter(rank, 1, "MPI_Allreduce", 60);
  job.ranks.resize(2);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::everybody_inside);
  EXPECT_THAT(report.findings[0].culprits, IsEmpty());
  EXPECT_THAT(report.findings[0].text, HasSubstr("look at the hosts of the other 2 of its 4 ranks"));
  EXPECT_THAT(report.notes, ElementsAre(HasSubstr("nothing is known here of 2 of 4 ranks")));
}

TEST(Hang, OfAllRanksInOneCollectiveHasNoCulprit) {
  HangingJob job(3);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 60);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::everybody_inside);
  EXPECT_THAT(report.findings[0].culprits, IsEmpty());
}

TEST(Hang, OfCommunicatorsWithoutEntriesOfTheirOwnIsNotGuessed) {
  HangingJob job(2);
  job.use(0, 0, "other communicators", 0, 5);
  job.enter(0, 0, "MPI_Allreduce", 60);
  EXPECT_THAT(job.analyse().findings, IsEmpty());
}

TEST(RankList, NamesRuns) {
  EXPECT_EQ(rank_list({3}), "rank 3");
  EXPECT_EQ(rank_list({0, 1}), "ranks 0, 1");
  EXPECT_EQ(rank_list({0, 1, 2, 5, 7, 8, 9}), "ranks 0-2, 5, 7-9");
  std::vector<int> even;
  for (int rank = 0; rank < 40; rank += 2) even.push_back(rank);
  EXPECT_EQ(rank_list(even), "ranks 0, 2, 4, 6, 8, 10, 12, 14 and 12 more");
}

}  // namespace
}  // namespace airamp::telemetry
