// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/control_group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

using testing::DoubleEq;
using testing::Optional;

TEST(ControlGroupTest, NoLimits) {
  MadeUpHost host;
  host.write("/proc/self/cgroup", "0::/user.slice\n");
  host.write("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  host.write("/sys/fs/cgroup/user.slice/memory.max", "max\n");
  const GroupLimits limits = group_limits(host.subject.system, "self");
  EXPECT_EQ(limits.processors, std::nullopt);
  EXPECT_EQ(limits.memory, std::nullopt);
}

TEST(ControlGroupTest, TheLeastOfAllGroupsAboveCounts) {
  MadeUpHost host;
  host.write("/proc/17/cgroup", "0::/slurm/job_4/step_0\n");
  host.write("/sys/fs/cgroup/slurm/job_4/step_0/cpu.max", "800000 100000\n");
  host.write("/sys/fs/cgroup/slurm/job_4/cpu.max", "250000 100000\n");
  host.write("/sys/fs/cgroup/slurm/job_4/memory.max", "2147483648\n");
  host.write("/sys/fs/cgroup/slurm/memory.high", "1073741824\n");
  const GroupLimits limits = group_limits(host.subject.system, "17");
  EXPECT_THAT(limits.processors, Optional(DoubleEq(2.5)));
  EXPECT_THAT(limits.memory, Optional(std::uint64_t{1} << 30U));
}

TEST(ControlGroupTest, ContainerSeesItsOwnGroupAtTheMount) {
  MadeUpHost host;
  host.write("/proc/self/cgroup", "0::/kubepods/pod7/container9\n");
  host.write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
  EXPECT_THAT(group_limits(host.subject.system, "self").processors, Optional(DoubleEq(0.5)));
}

TEST(ControlGroupTest, VersionOne) {
  MadeUpHost host;
  host.write("/proc/self/cgroup", "9:name=systemd:/\n4:memory:/job\n2:cpu,cpuacct:/job\n");
  host.write("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
  host.write("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  host.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  host.write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  host.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "536870912\n");
  host.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const GroupLimits limits = group_limits(host.subject.system, "self");
  EXPECT_THAT(limits.processors, Optional(DoubleEq(3)));
  EXPECT_THAT(limits.memory, Optional(std::uint64_t{512} << 20U));
}

TEST(ControlGroupTest, BothVersionsAtOnce) {
  MadeUpHost host;
  host.write("/proc/self/cgroup", "4:memory:/\n0::/job\n");
  host.write("/sys/fs/cgroup/unified/job/cpu.max", "100000 100000\n");
  EXPECT_THAT(group_limits(host.subject.system, "self").processors, Optional(DoubleEq(1)));
}

}  // namespace
}  // namespace airamp::doctor
