// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

TEST(AffinityCheckTest, OneLineForEachGpu) {
  MadeUpHost host;
  host.subject.gpus.gpus.resize(2);
  host.subject.topology.gpus = {
      {.address = "0000:17:00.0", .cpus = "0-15", .numa_nodes = "0", .nics = {"eth0", "mlx5_0"}},
      {.address = "0000:65:00.0", .cpus = "16-31", .numa_nodes = "1"}};
  const Findings findings = check_affinity(host.subject);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].found, "GPU 0000:17:00.0: processors 0-15, NUMA 0, network eth0, mlx5_0 are nearest");
  EXPECT_EQ(findings[1].found, "GPU 0000:65:00.0: processors 16-31, NUMA 1 are nearest");
}

TEST(AffinityCheckTest, WithoutHwlocTheReasonIsSaid) {
  MadeUpHost host;
  EXPECT_TRUE(check_affinity(host.subject).empty());
  host.subject.gpus.gpus.resize(1);
  host.subject.topology.trouble = "libhwloc.so.15: cannot open shared object file";
  expect_one(check_affinity(host.subject), Verdict::not_known, "libhwloc.so.15");
  host.subject.topology.trouble.clear();
  expect_one(check_affinity(host.subject), Verdict::not_known, "sees no GPU");
}

}  // namespace
}  // namespace airamp::doctor
