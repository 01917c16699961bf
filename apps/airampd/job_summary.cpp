// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/job_summary.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "telemetry/diagnosis/jobs_on_host.hpp"

namespace airamp::sidecar {
namespace {

using telemetry::RankSnapshot;

void add_paths(JobSummary& job) {
  std::map<std::string, JobSummary::PathUse> uses;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Traffic& traffic : rank->traffic) {
      JobSummary::PathUse& use = uses[traffic.path];
      use.calls += traffic.calls;
      use.bytes += traffic.bytes;
      use.wire_bytes += traffic.wire_bytes;
      if (!std::isnan(traffic.seconds)) use.seconds += traffic.seconds;
      for (std::size_t i = 0; i < use.histogram.size(); ++i) use.histogram[i] += traffic.histogram[i];
    }
  }
  for (auto& [path, use] : uses) {
    job.calls += use.calls;
    if (path != "native") job.accelerated_calls += use.calls;
    job.seconds += use.seconds;
    job.paths.emplace_back(path, use);
  }
  std::ranges::stable_sort(job.paths, [](const auto& a, const auto& b) { return a.second.seconds > b.second.seconds; });
}

/// From each communicator's lowest rank here.
void add_communicators(JobSummary& job) {
  std::set<std::uint64_t> keys;
  for (const RankSnapshot* rank : job.ranks) {
    std::vector<bool> first(rank->communicators.size());
    for (std::size_t i = 0; i < first.size(); ++i) {
      const RankSnapshot::Communicator& communicator = rank->communicators[i];
      first[i] = keys.insert(communicator.key).second;
      if (first[i] && !communicator.freed) job.communicators.push_back(&communicator);
    }
    for (const RankSnapshot::Decision& decision : rank->decisions) {
      const std::size_t place = decision.communicator;
      if (place < first.size() && first[place]) job.decisions.emplace_back(&rank->communicators[place], &decision);
    }
  }
  const auto speedup = [](const auto& entry) { return std::isnan(entry.second->speedup) ? 0 : entry.second->speedup; };
  std::ranges::stable_sort(job.decisions, [&](const auto& a, const auto& b) { return speedup(a) > speedup(b); });
}

}  // namespace

std::vector<JobSummary> summarize_jobs(const std::vector<RankSnapshot>& ranks) {
  std::vector<JobSummary> summaries;
  for (telemetry::JobOnHost& on_host : telemetry::jobs_on_host(ranks)) {
    JobSummary job{.name = std::move(on_host.name), .owner = std::move(on_host.owner)};
    job.ranks = std::move(on_host.ranks);
    for (const RankSnapshot* rank : job.ranks) {
      job.alive += rank->runs() ? 1 : 0;
      job.unknown += !rank->finalized && !rank->observable ? 1 : 0;
      job.on += rank->on ? 1 : 0;
    }
    add_paths(job);
    add_communicators(job);
    summaries.push_back(std::move(job));
  }
  return summaries;
}

}  // namespace airamp::sidecar
