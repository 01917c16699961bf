// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <map>

#include "apps/airamp/doctor/checks/checks.hpp"
#include "apps/airamp/doctor/counted.hpp"

namespace airamp::doctor {

Findings check_governor(const Subject& subject) {
  const std::string folder = "/sys/devices/system/cpu";
  const auto governor_of = [&](const std::string& processor) {
    return subject.system.text(folder + "/" + processor + "/cpufreq/scaling_governor");
  };
  std::map<std::string, int> governors;
  for (const std::string& name : subject.system.entries(folder)) {
    const auto governor = governor_of(name);
    if (governor) ++governors[*governor];
  }
  if (governors.empty()) {
    return {{Verdict::not_known, "the kernel leaves frequencies to the firmware or to the host of this virtual machine",
             ""}};
  }
  std::string found;
  for (const auto& [governor, count] : governors) {
    found += (found.empty() ? "" : ", ") + governor + " on " +
             counted(static_cast<std::size_t>(count), "processor", "processors");
  }
  if (!governors.contains("powersave")) return {{Verdict::good, found, ""}};
  const std::string advice = "As root: cpupower frequency-set -g performance; or a performance profile of tuned.";
  const std::string driver = subject.system.text(folder + "/cpu0/cpufreq/scaling_driver").value_or("an unknown driver");
  // These two choose frequencies themselves, and raise them under load.
  if (driver == "intel_pstate" || driver.starts_with("amd-pstate")) {
    return {{Verdict::worth_knowing, found + " (" + driver + ": frequencies rise, but late after waits)", advice}};
  }
  return {{Verdict::wrong, found + " (" + driver + "): the lowest frequency, always", advice}};
}

Findings check_numa_balancing(const Subject& subject) {
  const auto setting = subject.system.number("/proc/sys/kernel/numa_balancing");
  if (!setting) return {{Verdict::good, "the kernel has none", ""}};
  if (*setting == 0) return {{Verdict::good, "off", ""}};
  const std::size_t nodes = subject.system.numa_nodes().size();
  if (nodes < 2) return {{Verdict::good, "on, of no effect with one NUMA node", ""}};
  return {{Verdict::worth_knowing,
           "on, with " + std::to_string(nodes) + " NUMA nodes: pages of ranks that are bound are unmapped in vain",
           "Bind ranks, and as root: sysctl kernel.numa_balancing=0"}};
}

Findings check_autogroup(const Subject& subject) {
  const auto setting = subject.system.number("/proc/sys/kernel/sched_autogroup_enabled");
  if (!setting || *setting == 0) return {{Verdict::good, "off", ""}};
  const bool crowded = subject.ranks.known && static_cast<std::size_t>(subject.ranks.number) >
                                                  subject.system.processors_of(subject.process).size();
  if (!crowded || subject.mpi.family != MpiFamily::mpich) {
    return {{Verdict::good, "on, of no effect unless MPICH starts more ranks than there are processors", ""}};
  }
  return {{Verdict::worth_knowing,
           "on: MPICH's launcher gives each rank a session and so a group; ranks that wait leave their processor late",
           "As root: sysctl kernel.sched_autogroup_enabled=0; or start as many ranks as there are processors."}};
}

Findings check_single_copy(const Subject& subject) {
  const auto scope = subject.system.number("/proc/sys/kernel/yama/ptrace_scope");
  const bool xpmem = subject.system.exists("/dev/xpmem");
  const bool knem = subject.system.exists("/dev/knem");
  const std::string found = scope ? "kernel.yama.ptrace_scope=" + std::to_string(*scope) : "no limit by yama";
  if (xpmem || knem) return {{Verdict::good, found + ", and there is /dev/" + (xpmem ? "xpmem" : "knem"), ""}};
  if (!scope || *scope == 0) {
    return {{Verdict::good, found + ": the MPI library may read the memory of other ranks (CMA)", ""}};
  }
  const std::string advice = "As root: sysctl kernel.yama.ptrace_scope=0";
  if (*scope == 1) {
    return {{Verdict::worth_knowing,
             found + ": MPI libraries that do not ask for leave copy long messages between ranks twice", advice}};
  }
  return {
      {Verdict::worth_knowing, found + ": the MPI library copies long messages between ranks of a host twice", advice}};
}

}  // namespace airamp::doctor
