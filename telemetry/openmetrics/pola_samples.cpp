// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/openmetrics/job_samples.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::array<std::string_view, 4> states{"off", "learning", "locked", "broken"};

constexpr std::size_t max_communicators = 3;  ///< with Detail::job

/// Communicators of one name and size share their series: every state that one of them is in, and the longest period.
struct Seen {
  std::array<bool, states.size()> active{};
  std::uint64_t period = 0;
  std::uint64_t collectives = 0;
};
using SeenByName = std::map<std::pair<std::string_view, int>, Seen>;

SeenByName look_at(const JobOnHost& job) {
  SeenByName communicators;
  std::set<std::uint64_t> keys;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Communicator& communicator : rank->communicators) {
      if (communicator.freed || !keys.insert(communicator.key).second) continue;
      Seen& seen = communicators[{communicator.name, communicator.size}];
      const auto state = std::find(states.begin(), states.end(), communicator.pola_state);
      if (state != states.end()) seen.active.at(static_cast<std::size_t>(state - states.begin())) = true;
      seen.period = std::max(seen.period, communicator.pola_period);
      seen.collectives += communicator.collectives;
    }
  }
  return communicators;
}

}  // namespace

std::size_t add_pola_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  const SeenByName communicators = look_at(job);
  std::vector<const SeenByName::value_type*> busiest;
  for (const auto& communicator : communicators) busiest.push_back(&communicator);
  std::ranges::stable_sort(busiest, std::greater(), [](const auto* entry) { return entry->second.collectives; });
  const std::size_t shown = std::min(busiest.size(), detail == Detail::job ? max_communicators : max_label_sets);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [name_and_size, seen] = *busiest[i];
    Labels labels = job_labels(job);
    labels.add("comm_name", name_and_size.first).add("nranks", fmt::format_int(name_and_size.second).c_str());
    samples.add_states(Metric::pola_state, labels, states, seen.active);
    samples.add(Metric::pola_period, labels, seen.period);
  }
  return busiest.size() - shown;
}

}  // namespace airamp::telemetry
