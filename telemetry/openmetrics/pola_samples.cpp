// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "telemetry/openmetrics/job_samples.hpp"
#include "telemetry/openmetrics/scrape.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::array<std::string_view, 4> states{"off", "learning", "locked", "broken"};

/// Communicators of one name and size share their series: every state that one of them is in, and the longest period.
struct Seen {
  std::array<bool, states.size()> active{};
  std::uint64_t period = 0;
};

}  // namespace

std::size_t add_pola_samples(const JobOnHost& job, SampleSet& samples) {
  std::map<std::pair<std::string_view, int>, Seen> communicators;
  std::set<std::uint64_t> keys;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Communicator& communicator : rank->communicators) {
      if (communicator.freed || !keys.insert(communicator.key).second) continue;
      Seen& seen = communicators[{communicator.name, communicator.size}];
      const auto state = std::find(states.begin(), states.end(), communicator.pola_state);
      if (state != states.end()) seen.active.at(static_cast<std::size_t>(state - states.begin())) = true;
      seen.period = std::max(seen.period, communicator.pola_period);
    }
  }
  std::size_t written = 0;
  for (const auto& [name_and_size, seen] : communicators) {
    if (++written > max_label_sets) return communicators.size() - max_label_sets;
    const Labels labels{{"mpi_job", job.name},
                        {"comm_name", name_and_size.first},
                        {"nranks", fmt::format_int(name_and_size.second).c_str()}};
    samples.add_states(Metric::pola_state, labels, states, seen.active);
    samples.add(Metric::pola_period, labels, seen.period);
  }
  return 0;
}

}  // namespace airamp::telemetry
