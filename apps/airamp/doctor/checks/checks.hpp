// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "apps/airamp/doctor/finding.hpp"
#include "apps/airamp/doctor/subject.hpp"

// The checks of `airamp doctor`. Each looks at one thing and returns what it found, often one finding; none where the
// thing is not there and nobody misses it. docs/doctor.md says for people what each of them means. None throws anything
// but std::bad_alloc, writes anything or changes the host.
namespace airamp::doctor {

using Findings = std::vector<Finding>;

Findings check_mpi_library(const Subject& subject);
Findings check_airamp_library(const Subject& subject);
Findings check_settings(const Subject& subject);
Findings check_preload(const Subject& subject);
Findings check_ranks(const Subject& subject);
Findings check_processors(const Subject& subject);
Findings check_memory_limit(const Subject& subject);
Findings check_shared_memory(const Subject& subject);
Findings check_locked_memory(const Subject& subject);
Findings check_open_files(const Subject& subject);
Findings check_address_space(const Subject& subject);
Findings check_governor(const Subject& subject);
Findings check_numa_balancing(const Subject& subject);
Findings check_autogroup(const Subject& subject);
Findings check_single_copy(const Subject& subject);
Findings check_network(const Subject& subject);
Findings check_gpus(const Subject& subject);
Findings check_gpu_awareness(const Subject& subject);
Findings check_peer_access(const Subject& subject);
Findings check_gpu_sharing(const Subject& subject);
Findings check_affinity(const Subject& subject);
Findings check_iommu(const Subject& subject);
Findings check_access_control(const Subject& subject);
Findings check_memory_bandwidth(const Subject& subject);
Findings check_flag_latency(const Subject& subject);
Findings check_gpu_copies(const Subject& subject);

}  // namespace airamp::doctor
