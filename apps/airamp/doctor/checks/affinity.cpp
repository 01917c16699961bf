// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/checks/checks.hpp"

namespace airamp::doctor {

Findings check_affinity(const Subject& subject) {
  if (subject.gpus.gpus.empty() && subject.topology.gpus.empty()) return {};
  if (!subject.topology.trouble.empty()) {
    return {{Verdict::not_known, subject.topology.trouble, "Install hwloc 2 (Debian: libhwloc15)."}};
  }
  Findings findings;
  for (const probe::NearGpu& gpu : subject.topology.gpus) {
    std::string nics;
    for (const std::string& nic : gpu.nics) nics += (nics.empty() ? "" : ", ") + nic;
    findings.push_back({Verdict::good,
                        "GPU " + gpu.address + ": processors " + gpu.cpus + ", NUMA " + gpu.numa_nodes +
                            (nics.empty() ? "" : ", network " + nics) + " are nearest",
                        ""});
  }
  if (findings.empty()) findings.push_back({Verdict::not_known, "hwloc sees no GPU, as in some virtual machines", ""});
  return findings;
}

}  // namespace airamp::doctor
