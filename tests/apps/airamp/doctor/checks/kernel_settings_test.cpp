// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/apps/airamp/doctor/made_up_host.hpp"

namespace airamp::doctor {
namespace {

void set_governor(MadeUpHost& host, int processor, const std::string& governor) {
  host.write("/sys/devices/system/cpu/cpu" + std::to_string(processor) + "/cpufreq/scaling_governor", governor + "\n");
}

TEST(GovernorCheckTest, PowersaveDependsOnTheDriver) {
  MadeUpHost host;
  expect_one(check_governor(host.subject), Verdict::not_known, "");
  set_governor(host, 0, "performance");
  set_governor(host, 1, "performance");
  expect_one(check_governor(host.subject), Verdict::good, "performance on 2 processors");
  set_governor(host, 1, "powersave");
  host.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "acpi-cpufreq\n");
  expect_one(check_governor(host.subject), Verdict::wrong, "powersave on 1 processor");
  host.write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver", "intel_pstate\n");
  expect_one(check_governor(host.subject), Verdict::worth_knowing, "intel_pstate");
}

TEST(NumaBalancingCheckTest, MattersWithSeveralNodes) {
  MadeUpHost host;
  expect_one(check_numa_balancing(host.subject), Verdict::good, "none");
  host.write("/proc/sys/kernel/numa_balancing", "1\n");
  expect_one(check_numa_balancing(host.subject), Verdict::good, "one NUMA node");
  host.write("/sys/devices/system/node/node1/cpulist", "2-3\n");
  expect_one(check_numa_balancing(host.subject), Verdict::worth_knowing, "2 NUMA nodes");
  host.write("/proc/sys/kernel/numa_balancing", "0\n");
  expect_one(check_numa_balancing(host.subject), Verdict::good, "off");
}

TEST(AutogroupCheckTest, MattersToCrowdedRanksOfMpich) {
  MadeUpHost host;
  expect_one(check_autogroup(host.subject), Verdict::good, "off");
  host.write("/proc/sys/kernel/sched_autogroup_enabled", "1\n");
  host.subject.mpi.family = MpiFamily::mpich;
  host.subject.ranks = {.number = 2, .known = true};
  expect_one(check_autogroup(host.subject), Verdict::good, "of no effect");
  host.subject.ranks.number = 3;
  expect_one(check_autogroup(host.subject), Verdict::worth_knowing, "MPICH");
  host.subject.mpi.family = MpiFamily::openmpi;
  expect_one(check_autogroup(host.subject), Verdict::good, "of no effect");
}

TEST(SingleCopyCheckTest, ByTheScopeOfTracing) {
  MadeUpHost host;
  expect_one(check_single_copy(host.subject), Verdict::good, "no limit");
  for (const auto& [scope, verdict] : {std::pair{"0", Verdict::good}, std::pair{"1", Verdict::worth_knowing},
                                       std::pair{"2", Verdict::worth_knowing}}) {
    host.write("/proc/sys/kernel/yama/ptrace_scope", std::string(scope) + "\n");
    expect_one(check_single_copy(host.subject), verdict, "ptrace_scope=" + std::string(scope));
  }
  host.write("/dev/xpmem", "");
  expect_one(check_single_copy(host.subject), Verdict::good, "/dev/xpmem");
}

}  // namespace
}  // namespace airamp::doctor
