// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

/// Eight processors in two NUMA nodes, and a rank for each of these, which is bound to it.
void add_job(MadeUpHost& host, const std::vector<std::string>& processors) {
  host.write("/sys/devices/system/node/node0/cpulist", "0-3\n");
  host.write("/sys/devices/system/node/node1/cpulist", "4-7\n");
  for (std::size_t rank = 0; rank < processors.size(); ++rank) {
    host.bind(std::to_string(100 + rank), processors[rank]);
    host.subject.job.push_back(rank_of_process(static_cast<int>(rank), 100 + rank));
  }
}

TEST(RanksCheckTest, NoneWithoutAJob) {
  MadeUpHost host;
  EXPECT_TRUE(check_ranks(host.subject).empty());
}

TEST(RanksCheckTest, EachWithItsOwn) {
  MadeUpHost host;
  add_job(host, {"0", "1", "4-5", "6-7"});
  expect_one(check_ranks(host.subject), Verdict::good, "4 ranks");
}

TEST(RanksCheckTest, TwoOnOneProcessor) {
  MadeUpHost host;
  add_job(host, {"0", "1", "1", "2-3"});
  expect_one(check_ranks(host.subject), Verdict::wrong, "ranks 1-2 are bound to processor 1 together");
}

TEST(RanksCheckTest, AcrossNumaNodes) {
  MadeUpHost host;
  add_job(host, {"0-1", "3-4", "6"});
  expect_one(check_ranks(host.subject), Verdict::worth_knowing, "rank 1 may run on several NUMA nodes");
}

TEST(RanksCheckTest, AirampIsOff) {
  MadeUpHost host;
  add_job(host, {"0", "1", "2"});
  for (const std::size_t rank : {0U, 2U}) {
    host.subject.job[rank].on = false;
    host.subject.job[rank].why_off = "built for MPICH";
  }
  expect_one(check_ranks(host.subject), Verdict::wrong, "AIRamp is off in ranks 0,2: built for MPICH");
}

TEST(RanksCheckTest, FarFromTheGpu) {
  MadeUpHost host;
  add_job(host, {"0", "1"});
  host.subject.gpus.gpus = {{.address = "0000:17:00.0", .processes = {100, 101}}};
  host.subject.topology.gpus = {{.address = "0000:17:00.0", .cpus = "1-3"}};
  expect_one(check_ranks(host.subject), Verdict::wrong, "rank 0 runs far from GPU 0000:17:00.0");
}

}  // namespace
}  // namespace airamp::doctor
