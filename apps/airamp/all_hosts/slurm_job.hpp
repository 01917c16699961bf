// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::command_line {

/// The number of Slurm's job that `job` stands for: "4711", or a task of an array, "4711_3", whose own number squeue is
/// asked for. Nothing where it is the name of a job, or where squeue does not know the task.
std::optional<std::uint64_t> slurm_job_number(const std::string& job);

/// What names of jobs begin with whose ranks were started in that job of Slurm.
std::string slurm_job_prefix(std::uint64_t number);

/// What the ranks of all jobs within that job of Slurm have published, on all of its hosts: by way of one srun, which
/// starts `airamp ranks` once on each. Empty where that does not come about within half a minute: the job is over, or
/// there is no srun.
std::vector<telemetry::RankSnapshot> ranks_on_all_hosts(std::uint64_t number, const std::string& folder, uid_t user);

}  // namespace airamp::command_line
