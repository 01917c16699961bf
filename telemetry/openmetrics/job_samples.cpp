// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/job_samples.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "telemetry/segment/rank_state.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::size_t max_infos = 2;  ///< with Detail::job

/// The Slurm job that a job's name speaks of ("slurm-4711-..."); empty if none.
std::string_view slurm_job_id(std::string_view name) {
  constexpr std::string_view prefix = "slurm-";
  if (!name.starts_with(prefix)) return {};
  name.remove_prefix(prefix.size());
  return name.substr(0, name.find_first_not_of("0123456789"));
}

void add_infos(const JobOnHost& job, Detail detail, SampleSet& samples) {
  std::set<std::string> infos;
  for (const RankSnapshot* rank : job.ranks) {
    if (detail == Detail::job && infos.size() == max_infos) return;
    Labels info = job_labels(job);
    info.add("version", rank->version).add("mpi", rank->mpi).add("architecture", rank->architecture);
    info.add("gpu", rank->gpu).add("program", rank->program);
    if (!slurm_job_id(job.name).empty()) info.add("slurm_job_id", slurm_job_id(job.name));
    if (infos.insert(info.text()).second) samples.add(Metric::info, info, std::uint64_t{1});
  }
}

/// States that can be told without a look at more of /proc than whether a process is there.
constexpr std::array shown_states = {RankState::running, RankState::stopped, RankState::gone, RankState::finalized,
                                     RankState::unknown};

void add_states(const JobOnHost& job, SampleSet& samples) {
  std::map<RankState, std::uint64_t> counts;
  std::uint64_t off = 0;
  for (const RankSnapshot* rank : job.ranks) {
    ++counts[rank_state(*rank)];
    off += rank->runs() && !rank->finalized && !rank->on ? 1 : 0;
  }
  for (const RankState state : shown_states) {
    samples.add(Metric::ranks, job_labels(job).add("state", to_string(state)), counts[state]);
  }
  samples.add(Metric::ranks_off, job_labels(job), off);
}

}  // namespace

Labels job_labels(const JobOnHost& job) {
  Labels labels{{"mpi_job", job.name}};
  if (!job.owner.empty()) labels.add("user", job.owner);
  return labels;
}

void add_job_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  add_infos(job, detail, samples);
  add_states(job, samples);
  int size = 0;
  double start = std::nan("");
  for (const RankSnapshot* rank : job.ranks) {
    size = std::max(size, rank->size);
    start = std::fmin(start, rank->started_seconds);
  }
  samples.add(Metric::job_ranks, job_labels(job), static_cast<std::uint64_t>(size));
  samples.add(Metric::job_start_time, job_labels(job), start);
}

}  // namespace airamp::telemetry
