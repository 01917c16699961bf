// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "telemetry/openmetrics/job_samples.hpp"
#include "telemetry/openmetrics/message_size.hpp"
#include "telemetry/openmetrics/scrape.hpp"

namespace airamp::telemetry {
namespace {

/// Communicators of one name and size share a series; it has the smallest speed-up and the largest error among them.
struct Measured {
  double speedup = std::nan("");
  double relative_error = std::nan("");
};

using Key = std::tuple<std::string_view, int, std::string_view, std::uint64_t, std::string_view, std::string_view,
                       std::string_view>;

Labels labels_of(const JobOnHost& job, const Key& key) {
  const auto& [communicator, size, function, bytes, element, op, path] = key;
  return {{"mpi_job", job.name},
          {"comm_name", communicator},
          {"nranks", fmt::format_int(size).c_str()},
          {"collective", function},
          {"message_size", message_size(bytes)},
          {"datatype", element},
          {"op", op},
          {"path", path}};
}

/// Whether this rank is the one that its communicator's decisions are taken from. Nobody is for the entry that several
/// communicators share: it has no size, and in every rank others stand behind it.
bool speaks_for(const RankSnapshot& rank, std::size_t communicator) {
  return communicator < rank.communicators.size() && rank.communicators[communicator].size > 0 &&
         rank.communicators[communicator].rank == 0;
}

}  // namespace

std::size_t add_decision_samples(const JobOnHost& job, SampleSet& samples) {
  std::map<Key, Measured> measured;
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> states;
  std::map<std::string_view, std::uint64_t> fallbacks;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Decision& decision : rank->decisions) {
      if (!speaks_for(*rank, decision.communicator)) continue;
      const RankSnapshot::Communicator& communicator = rank->communicators[decision.communicator];
      ++states[{to_string(decision.state), decision.path}];
      const std::string_view fallback = decision.path == "native" ? fallback_of(decision.reason) : "";
      if (!fallback.empty()) ++fallbacks[fallback];
      if (std::isnan(decision.speedup) && std::isnan(decision.relative_error)) continue;
      Measured& worst = measured[{communicator.name, communicator.size, decision.function,
                                  std::bit_floor(decision.size), decision.element, decision.op, decision.path}];
      worst.speedup = std::fmin(worst.speedup, decision.speedup);
      worst.relative_error = std::fmax(worst.relative_error, decision.relative_error);
    }
  }
  for (const auto& [key, count] : states) {
    samples.add(Metric::tuner_signatures, {{"mpi_job", job.name}, {"state", key.first}, {"path", key.second}}, count);
  }
  for (const auto& [reason, count] : fallbacks) {
    samples.add(Metric::fallbacks, {{"mpi_job", job.name}, {"reason", reason}}, count);
  }
  std::size_t written = 0;
  for (const auto& [key, worst] : measured) {
    if (++written > max_label_sets) return measured.size() - max_label_sets;
    const Labels labels = labels_of(job, key);
    samples.add(Metric::speedup, labels, worst.speedup);
    samples.add(Metric::relative_error, labels, worst.relative_error);
  }
  return 0;
}

}  // namespace airamp::telemetry
