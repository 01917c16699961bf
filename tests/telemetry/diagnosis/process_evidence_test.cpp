// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/process_evidence.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <vector>

#include "telemetry/segment/process_identity.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {
namespace {

RankSnapshot rank_of(pid_t process) {
  const ProcessState state = process_state(static_cast<std::uint64_t>(process));
  return {.process = static_cast<std::uint64_t>(process),
          .alive = state.runs(),
          .observable = true,
          .process_state = state.letter};
}

TEST(ProcessMemory, IsReadFromProc) {
  // proc(5): in kB of 1024 bytes.
  const ProcessMemory memory =
      parse_memory("Name:\tVmSwap:\nVmPeak:\t  999 kB\nVmRSS:\t    2040 kB\nVmSwap:\t      16 kB\n");
  EXPECT_EQ(memory.resident, 2040U * 1024);
  EXPECT_EQ(memory.swapped, 16U * 1024);
  EXPECT_EQ(parse_memory("").resident, 0U);
  EXPECT_EQ(parse_memory("VmRSS:").resident, 0U);
}

TEST(ProcessCgroup, IsThatOfVersion2) {
  EXPECT_EQ(parse_cgroup("4:memory:/a\n0::/job.slice/step 1\n"), "/job.slice/step 1");
  EXPECT_EQ(parse_cgroup("4:memory:/a\n"), "");
  EXPECT_EQ(parse_cgroup(""), "");
}

TEST(ProcessEvidence, IsOfProcessesThatRun) {
  std::vector<RankSnapshot> ranks = {rank_of(getpid()), rank_of(getpid())};
  ranks[1].alive = false;
  look_at_processes(ranks);
  EXPECT_GT(ranks[0].resident_bytes, 0U);
  EXPECT_FALSE(ranks[0].frozen);
  EXPECT_EQ(ranks[1].resident_bytes, 0U);
}

TEST(RankState, IsThatOfItsProcess) {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  ASSERT_GT(child, 0);
  EXPECT_EQ(rank_state(rank_of(child)), RankState::running);
  int status = 0;
  kill(child, SIGSTOP);
  EXPECT_EQ(waitpid(child, &status, WUNTRACED), child);
  RankSnapshot rank = rank_of(child);
  EXPECT_EQ(rank_state(rank), RankState::stopped);
  // Even in MPI_Finalize, where others may wait for it.
  rank.finalized = true;
  EXPECT_EQ(rank_state(rank), RankState::stopped);
  kill(child, SIGKILL);
  // Whose end nobody has asked for, is a zombie.
  siginfo_t end{};
  EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child), &end, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(process_state(static_cast<std::uint64_t>(child)).letter, 'Z');
  EXPECT_EQ(rank_state(rank_of(child)), RankState::gone);
  EXPECT_EQ(waitpid(child, &status, 0), child);
  rank = rank_of(child);
  EXPECT_EQ(rank_state(rank), RankState::gone);
  rank.finalized = true;
  EXPECT_EQ(rank_state(rank), RankState::finalized);
  rank = rank_of(child);
  rank.observable = false;
  EXPECT_EQ(rank_state(rank), RankState::unknown);
}

}  // namespace
}  // namespace airamp::telemetry
