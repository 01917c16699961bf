// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/jobs_on_host.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace airamp::telemetry {
namespace {

bool may_run(const RankSnapshot* rank) { return rank->runs() || (!rank->finalized && !rank->observable); }

}  // namespace

std::vector<JobOnHost> jobs_on_host(std::span<const RankSnapshot> ranks) {
  std::map<std::pair<std::string, std::string>, JobOnHost> jobs;
  for (const RankSnapshot& rank : ranks) {
    JobOnHost& job = jobs[{rank.owner, rank.job}];
    job.owner = rank.owner;
    job.name = rank.job;
    job.ranks.push_back(&rank);
  }
  std::vector<JobOnHost> list;
  for (auto& [key, job] : jobs) {
    // Whatever is shown of a rank twice spoils the whole scrape.
    std::ranges::sort(job.ranks, {},
                      [](const RankSnapshot* rank) { return std::tuple(rank->rank, !rank->runs(), rank->process); });
    const auto same = [](const RankSnapshot* a, const RankSnapshot* b) { return a->rank == b->rank; };
    job.ranks.erase(std::unique(job.ranks.begin(), job.ranks.end(), same), job.ranks.end());
    job.over = std::ranges::none_of(job.ranks, may_run);
    list.push_back(std::move(job));
  }
  std::stable_partition(list.begin(), list.end(), [](const JobOnHost& job) { return !job.over; });
  return list;
}

}  // namespace airamp::telemetry
