// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/doctor/check_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "apps/airamp/doctor/checks/checks.hpp"

namespace airamp::doctor {
namespace {

constexpr std::array checks = {
    NamedCheck{"MPI library", check_mpi_library},
    NamedCheck{"AIRamp's library", check_airamp_library},
    NamedCheck{"settings", check_settings},
    NamedCheck{"LD_PRELOAD", check_preload},
    NamedCheck{"ranks of the job", check_ranks},
    NamedCheck{"processors", check_processors},
    NamedCheck{"memory limit", check_memory_limit},
    NamedCheck{"shared memory", check_shared_memory},
    NamedCheck{"locked memory", check_locked_memory},
    NamedCheck{"open files", check_open_files},
    NamedCheck{"address space", check_address_space},
    NamedCheck{"frequency governor", check_governor},
    NamedCheck{"NUMA balancing", check_numa_balancing},
    NamedCheck{"autogroup", check_autogroup},
    NamedCheck{"single copy", check_single_copy},
    NamedCheck{"network", check_network},
    NamedCheck{"GPUs", check_gpus},
    NamedCheck{"GPU awareness", check_gpu_awareness},
    NamedCheck{"peer access", check_peer_access},
    NamedCheck{"GPU sharing", check_gpu_sharing},
    NamedCheck{"GPU affinity", check_affinity},
    NamedCheck{"IOMMU", check_iommu},
    NamedCheck{"ACS", check_access_control},
    NamedCheck{"memory bandwidth", check_memory_bandwidth},
    NamedCheck{"flag latency", check_flag_latency},
    NamedCheck{"GPU copies", check_gpu_copies},
};

}  // namespace

std::span<const NamedCheck> every_check() { return checks; }

std::vector<Result> examine(const Subject& subject) {
  std::vector<Result> results;
  for (const NamedCheck& named : checks) {
    for (Finding& finding : named.check(subject)) results.push_back({named.name, std::move(finding)});
  }
  std::stable_sort(results.begin(), results.end(),
                   [](const Result& a, const Result& b) { return a.finding.verdict < b.finding.verdict; });
  return results;
}

}  // namespace airamp::doctor
