// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
// What is said of ranks that do not run, whatever they were doing, and of dead jobs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "telemetry/diagnosis/hang_analysis.hpp"
#include "tests/telemetry/diagnosis/hanging_job.hpp"

namespace airamp::telemetry {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = HangReport::Kind;

void kill(RankSnapshot& rank) {
  rank.alive = false;
  rank.process_state = 0;
}

TEST(NotRunning, IsARankThatIsStoppedOutsideOfCollectives) {
  HangingJob job(4);
  for (int rank : {0, 1, 2, 3}) job.left(rank, 1, "MPI_Allreduce", 12.3);
  job[1].process_state = 'T';
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  const HangReport::Finding& finding = report.findings[0];
  EXPECT_EQ(finding.kind, Kind::not_running);
  EXPECT_THAT(finding.culprits, ElementsAre(1));
  EXPECT_THAT(finding.waiting, IsEmpty());
  EXPECT_NEAR(finding.quiet_seconds, 12.3, 1e-6);
  EXPECT_EQ(finding.text,
            "rank 1 (host node0, pid 1001, stopped: state T in /proc): no collective ended for 12.3 s, its last "
            "one was MPI_Allreduce number 11 on 'MPI_COMM_WORLD'");
  // The others run: what they do is said, and is no finding.
  ASSERT_THAT(report.notes, SizeIs(1));
  EXPECT_THAT(report.notes[0], HasSubstr("rank 0 (host node0, pid 1000, sleeping), rank 2 "));
  EXPECT_THAT(report.notes[0], HasSubstr(": no collective ended for 12.3 s; they may compute"));
}

TEST(NotRunning, IsARankThatIsStoppedWithinTheCallBeforeItsPeers) {
  // A small reduction's ranks do not wait for its root.
  HangingJob job(3);
  for (int rank : {0, 2}) job.left(rank, 1, "MPI_Reduce", 31);
  job.enter(1, 1, "MPI_Reduce", 31);
  for (int rank : {0, 2}) job.enter(rank, 1, "MPI_Allreduce", 0.5);
  job[1].process_state = 'T';
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::stopped);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(1));
  EXPECT_THAT(report.findings[0].waiting, ElementsAre(0, 2));
  EXPECT_THAT(report.findings[0].text,
              HasSubstr("stopped: state T in /proc) has not entered MPI_Allreduce number 12 on 'MPI_COMM_WORLD', where "
                        "ranks 0, 2 have been waiting for 0.5 s"));
}

TEST(NotRunning, IsARankThatIsStoppedWhereNobodyWaitsForItYet) {
  HangingJob job(2);
  for (int rank : {0, 1}) job.left(rank, 1, "MPI_Allreduce", 2);
  job.enter(1, 1, "MPI_Barrier", 1);
  job[1].process_state = 'T';
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::not_running);
  EXPECT_THAT(report.findings[0].text,
              HasSubstr(": no collective ended for 2.0 s, it is in MPI_Barrier number 12 on 'MPI_COMM_WORLD'"));
}

TEST(NotRunning, IsARankThatIsGoneFromAJobThatRuns) {
  HangingJob job(2);
  kill(job[0]);
  HangReport report = job.analyse();
  EXPECT_FALSE(report.dead);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::not_running);
  EXPECT_EQ(report.findings[0].text,
            "rank 0 (host node0, pid 1000, gone: its process has ended): no collective ended for 3600.0 s, it has "
            "entered none");
  job[0].process_state = 'Z';
  EXPECT_THAT(job.analyse().findings[0].text, HasSubstr("gone: its process has ended, state Z in /proc)"));
  // Whoever has called MPI_Finalize is in order, and so is a rank of another host.
  job[0].finalized = true;
  EXPECT_THAT(job.analyse().findings, IsEmpty());
  job[0] = HangingJob(2)[0];
  job[0].observable = false;
  job[0].process_state = 0;
  report = job.analyse();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.notes, testing::Contains(HasSubstr("some ranks' processes cannot be seen from here")));
}

TEST(NotRunning, IsARankThatIsStoppedInMpiFinalize) {
  HangingJob job(2);
  for (int rank : {0, 1}) job[rank].finalized = true;
  EXPECT_THAT(job.analyse().findings, IsEmpty());
  job[1].process_state = 'T';
  ASSERT_THAT(job.analyse().findings, SizeIs(1));
  EXPECT_THAT(job.analyse().findings[0].culprits, ElementsAre(1));
}

TEST(NotRunning, AreRanksThatAreStoppedTogether) {
  HangingJob job(8);
  for (int rank = 0; rank < 8; ++rank) {
    job.left(rank, 1, "MPI_Allreduce", 10 + rank);
    job[rank].process_state = 'T';
  }
  kill(job[7]);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(report.findings[0].text, "ranks 0-6 (stopped): no collective ended for 10.0 s");
  EXPECT_THAT(report.findings[1].text, HasSubstr("rank 7 (host node3, pid 1007, gone"));
}

TEST(NotRunning, IsAFrozenRankAtOnceAndATracedOrSwappedOneOnceItIsQuiet) {
  HangingJob job(2);
  job.left(1, 1, "MPI_Allreduce", 1);
  job[1].frozen = true;
  ASSERT_THAT(job.analyse().findings, SizeIs(1));
  EXPECT_THAT(job.analyse().findings[0].text, HasSubstr("frozen: its cgroup is"));
  for (const double quiet : {4.0, 6.0}) {
    const std::size_t findings = quiet < HangingJob::patience ? 0 : 1;
    job = HangingJob(2);
    job.left(1, 1, "MPI_Allreduce", quiet);
    // strace(1) stops a rank at each of its system calls.
    job[1].process_state = 't';
    EXPECT_THAT(job.analyse().findings, SizeIs(findings));
    job[1].process_state = 'S';
    job[1].swapped_bytes = 3ULL << 30U;
    job[1].resident_bytes = 1ULL << 30U;
    ASSERT_THAT(job.analyse().findings, SizeIs(findings));
    if (findings == 1) {
      EXPECT_THAT(job.analyse().findings[0].text, HasSubstr("swapped out: 3.0 GiB of its memory, 1.0 GiB is resident"));
    }
    job[1].resident_bytes = 4ULL << 30U;
    EXPECT_THAT(job.analyse().findings, IsEmpty());
  }
}

TEST(NotRunning, AreNotRanksThatCompute) {
  HangingJob job(3);
  for (int rank : {0, 1}) job.left(rank, 1, "MPI_Allreduce", 300);
  job.left(2, 1, "MPI_Allreduce", 4.9);
  job[0].process_state = 'R';
  job[1].process_state = 'D';
  const HangReport report = job.analyse();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.notes,
              ElementsAre("rank 0 (host node0, pid 1000, running) and rank 1 (host node0, pid 1001, waiting for I/O: "
                          "state D in /proc): no collective ended for 300.0 s; they may compute, or wait for messages "
                          "between single ranks"));
}

TEST(NotRunning, IsNoRankThatFinalizesWhileAnotherLeavesTheLastCollective) {
  HangingJob job(2);
  for (int rank : {0, 1}) job.enter(rank, 1, "MPI_Barrier", 0.001);
  job[1].flights.back().left_seconds = HangingJob::now;
  job[1].finalized = true;
  EXPECT_THAT(job.analyse().findings, IsEmpty());
}

TEST(DeadJob, IsSeenInWhatItLeft) {
  HangingJob job(4);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 100 + rank);
  for (RankSnapshot& rank : job.ranks) kill(rank);
  const HangReport report = job.analyse();
  EXPECT_TRUE(report.dead);
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(report.findings[0].kind, Kind::missing);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(3));
  // Rank 2 entered first; rank 0, two seconds later, is the last sign of life.
  EXPECT_NEAR(report.findings[0].waited_seconds, 2, 1e-6);
  EXPECT_THAT(report.findings[0].text, HasSubstr("ranks 0-2 had been waiting since 2027-01-15 07:58:18 UTC"));
  // Whichever was killed is among those that are gone.
  EXPECT_EQ(report.findings[1].kind, Kind::not_running);
  EXPECT_THAT(report.findings[1].culprits, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(
      report.findings[1].text,
      "ranks 0-3 are gone and have not called MPI_Finalize; their last signs were from 2027-01-15 07:00:00.000000 "
      "UTC (rank 3, before its first collective) to 2027-01-15 07:58:20.000000 UTC (rank 0, in MPI_Allreduce number "
      "11 on 'MPI_COMM_WORLD')");
}

TEST(DeadJob, WhoseRanksWereAllInsideBlamesNobodyForThat) {
  HangingJob job(3);
  for (int rank : {0, 1, 2}) job.enter(rank, 1, "MPI_Allreduce", 102);
  for (RankSnapshot& rank : job.ranks) kill(rank);
  const HangReport report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].kind, Kind::not_running);
  EXPECT_THAT(report.findings[0].culprits, ElementsAre(0, 1, 2));
  EXPECT_THAT(report.notes,
              ElementsAre("ranks 0-2 were in MPI_Allreduce number 11 on 'MPI_COMM_WORLD' since 2027-01-15 "
                          "07:58:18 UTC; nobody is known to have been missing"));
}

TEST(DeadJob, ThatEndedWellIsInOrder) {
  HangingJob job(3);
  for (RankSnapshot& rank : job.ranks) {
    kill(rank);
    rank.finalized = true;
  }
  HangReport report = job.analyse();
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.notes, IsEmpty());
  job[1].finalized = false;
  job.left(1, 1, "MPI_Allreduce", 0.5);
  report = job.analyse();
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].text,
            "rank 1 (host node0, pid 1001, gone: its process has ended) has not called MPI_Finalize; its last sign was "
            "at 2027-01-15 07:59:59.500000 UTC, after MPI_Allreduce number 11 on 'MPI_COMM_WORLD'");
}

}  // namespace
}  // namespace airamp::telemetry
