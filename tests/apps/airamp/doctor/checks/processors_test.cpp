// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(ProcessorsCheckTest, EnoughForTheRanks) {
  MadeUpHost host;
  host.subject.ranks = {.number = 2, .known = true};
  expect_one(check_processors(host.subject), Verdict::good, "2 ranks on 2 processors (0-1)");
}

TEST(ProcessorsCheckTest, MoreRanksThanProcessors) {
  MadeUpHost host;
  host.subject.ranks = {.number = 3, .known = true};
  expect_one(check_processors(host.subject), Verdict::wrong, "3 ranks on 2 processors (0-1)");
}

TEST(ProcessorsCheckTest, ProcessorsOfAllRanksOfAJobCount) {
  MadeUpHost host;
  host.bind("17", "0");
  host.bind("18", "5");
  host.subject.job = {rank_of_process(0, 17), rank_of_process(1, 18)};
  host.subject.process = "17";
  host.subject.ranks = {.number = 2, .known = true};
  expect_one(check_processors(host.subject), Verdict::good, "2 ranks on 2 processors (0,5)");
}

TEST(ProcessorsCheckTest, QuotaBelowTheRanks) {
  MadeUpHost host;
  host.write("/proc/self/cgroup", "0::/job\n");
  host.write("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  host.subject.ranks = {.number = 2, .known = true};
  expect_one(check_processors(host.subject), Verdict::wrong, "1.5 processors, for 2 ranks");
  host.subject.ranks.number = 1;
  expect_one(check_processors(host.subject), Verdict::good, "1 rank on 2 processors");
}

TEST(ProcessorsCheckTest, NotKnown) {
  MadeUpHost host;
  host.subject.process = "99";
  expect_one(check_processors(host.subject), Verdict::not_known, "/proc");
}

TEST(MemoryLimitCheckTest, SharedOutAmongTheRanks) {
  MadeUpHost host;
  expect_one(check_memory_limit(host.subject), Verdict::good, "sets none");
  host.write("/proc/self/cgroup", "0::/job\n");
  host.write("/sys/fs/cgroup/job/memory.max", "1073741824\n");
  host.subject.ranks.number = 4;
  expect_one(check_memory_limit(host.subject), Verdict::good,
             "1 GiB for the control group, 256 MiB for each of 4 ranks");
  host.subject.ranks.number = 8;
  expect_one(check_memory_limit(host.subject), Verdict::worth_knowing, "128 MiB for each of 8 ranks");
}

}  // namespace
}  // namespace airamp::doctor
