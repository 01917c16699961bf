// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <functional>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/openmetrics/job_samples.hpp"
#include "telemetry/openmetrics/message_size.hpp"

namespace airamp::telemetry {
namespace {

constexpr std::size_t max_kinds_of_decisions = 6;  ///< with Detail::job

/// What shares a series; it has the smallest speed-up and the largest error of that.
struct Measured {
  double speedup = std::nan("");
  double relative_error = std::nan("");
};

/// What decisions share a series by; with Detail::job, only a function and a path are given.
struct Key {
  std::string_view communicator;
  int size = 0;
  std::string_view function;
  std::uint64_t bytes = 0;
  std::string_view element;
  std::string_view op;
  std::string_view path;
  auto operator<=>(const Key&) const = default;
};
using MeasuredByKey = std::map<Key, Measured>;

Labels labels_of(const JobOnHost& job, Detail detail, const Key& key) {
  Labels labels = job_labels(job);
  if (detail == Detail::job) return labels.add("collective", key.function).add("path", key.path);
  labels.add("comm_name", key.communicator).add("nranks", fmt::format_int(key.size).c_str());
  labels.add("collective", key.function).add("message_size", message_size(key.bytes));
  return labels.add("datatype", key.element).add("op", key.op).add("path", key.path);
}

/// Those with the largest errors come first: an error above the bound must not be missed.
std::size_t add_measured(const JobOnHost& job, Detail detail, const MeasuredByKey& measured, SampleSet& samples) {
  std::vector<const MeasuredByKey::value_type*> worst;
  for (const auto& entry : measured) worst.push_back(&entry);
  std::ranges::stable_sort(worst, std::greater(), [](const auto* entry) {
    return std::isnan(entry->second.relative_error) ? -1 : entry->second.relative_error;
  });
  const std::size_t shown = std::min(worst.size(), detail == Detail::job ? max_kinds_of_decisions : max_label_sets);
  for (std::size_t i = 0; i < shown; ++i) {
    const Labels labels = labels_of(job, detail, worst[i]->first);
    samples.add(Metric::speedup, labels, worst[i]->second.speedup);
    samples.add(Metric::relative_error, labels, worst[i]->second.relative_error);
  }
  return worst.size() - shown;
}

/// Whether this rank is the one that its communicator's decisions are taken from. Nobody is for the entry that several
/// communicators share: it has no size, and in every rank others stand behind it.
bool speaks_for(const RankSnapshot& rank, std::size_t communicator) {
  return communicator < rank.communicators.size() && rank.communicators[communicator].size > 0 &&
         rank.communicators[communicator].rank == 0;
}

}  // namespace

std::size_t add_decision_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  MeasuredByKey measured;
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> states;
  std::map<std::string_view, std::uint64_t> fallbacks;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Decision& decision : rank->decisions) {
      if (!speaks_for(*rank, decision.communicator)) continue;
      const RankSnapshot::Communicator& communicator = rank->communicators[decision.communicator];
      ++states[{to_string(decision.state), detail == Detail::job ? "" : std::string_view(decision.path)}];
      const std::string_view fallback = decision.path == "native" ? fallback_of(decision.reason) : "";
      if (!fallback.empty()) ++fallbacks[fallback];
      if (std::isnan(decision.speedup) && std::isnan(decision.relative_error)) continue;
      Key key{.function = decision.function, .path = decision.path};
      if (detail == Detail::all) {
        key.communicator = communicator.name;
        key.size = communicator.size;
        key.bytes = std::bit_floor(decision.size);
        key.element = decision.element;
        key.op = decision.op;
      }
      Measured& worst = measured[key];
      worst.speedup = std::fmin(worst.speedup, decision.speedup);
      worst.relative_error = std::fmax(worst.relative_error, decision.relative_error);
    }
  }
  for (const auto& [key, count] : states) {
    Labels labels = job_labels(job).add("state", key.first);
    if (detail == Detail::all) labels.add("path", key.second);
    samples.add(Metric::tuner_signatures, labels, count);
  }
  for (const auto& [reason, count] : fallbacks) {
    samples.add(Metric::fallbacks, job_labels(job).add("reason", reason), count);
  }
  return add_measured(job, detail, measured, samples);
}

}  // namespace airamp::telemetry
