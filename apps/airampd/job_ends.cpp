// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airampd/job_ends.hpp"

#include <algorithm>
#include <set>

#include "telemetry/diagnosis/jobs_on_host.hpp"
#include "telemetry/diagnosis/last_sign.hpp"

namespace airamp::sidecar {

using telemetry::RankSnapshot;

void JobEnds::remove_ended(std::vector<RankSnapshot>& ranks) {
  std::map<Job, double> seen_running;
  std::set<Job> ended;
  for (const telemetry::JobOnHost& on_host : telemetry::jobs_on_host(ranks)) {
    const Job job{on_host.owner, on_host.name};
    const double now = on_host.ranks.front()->now_seconds;
    if (std::ranges::any_of(on_host.ranks, &RankSnapshot::runs)) {
      seen_running[job] = now;
      continue;
    }
    double last = 0;
    for (const RankSnapshot* rank : on_host.ranks) last = std::max(last, telemetry::last_sign(*rank));
    if (const auto seen = seen_running_.find(job); seen != seen_running_.end()) {
      seen_running[job] = seen->second;
      last = std::max(last, seen->second);
    }
    if (now - last > (on_host.over ? shown_seconds : unseen_seconds)) ended.insert(job);
  }
  seen_running_ = std::move(seen_running);
  std::erase_if(ranks, [&](const RankSnapshot& rank) { return ended.contains({rank.owner, rank.job}); });
}

}  // namespace airamp::sidecar
