// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>

#include "telemetry/openmetrics/job_samples.hpp"
#include "telemetry/openmetrics/message_size.hpp"
#include "telemetry/openmetrics/scrape.hpp"

namespace airamp::telemetry {
namespace {

struct Sum {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t wire_bytes = 0;
  double seconds = 0;
  std::array<std::uint64_t, latency_buckets> histogram{};

  /// Adds a Sum or a Traffic, which have the same figures.
  void add(const auto& figures) {
    calls += figures.calls;
    bytes += figures.bytes;
    wire_bytes += figures.wire_bytes;
    if (!std::isnan(figures.seconds)) seconds += figures.seconds;
    for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += figures.histogram[i];
  }
};

void add_samples(const Labels& labels, const Sum& sum, SampleSet& samples) {
  samples.add(Metric::calls, labels, sum.calls);
  samples.add(Metric::payload_bytes, labels, sum.bytes);
  samples.add(Metric::wire_bytes, labels, sum.wire_bytes);
  samples.add_histogram(Metric::collective_duration, labels, sum.histogram, sum.seconds);
}

}  // namespace

std::size_t add_traffic_samples(const JobOnHost& job, SampleSet& samples) {
  std::map<std::tuple<std::string_view, std::uint64_t, std::string_view>, Sum> sums;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Traffic& traffic : rank->traffic) {
      sums[{traffic.function, std::bit_floor(traffic.size), traffic.path}].add(traffic);
    }
  }
  std::size_t written = 0;
  Sum other;
  for (const auto& [key, sum] : sums) {
    if (++written > max_label_sets) {
      other.add(sum);
      continue;
    }
    const auto& [function, size, path] = key;
    add_samples({{"mpi_job", job.name}, {"collective", function}, {"message_size", message_size(size)}, {"path", path}},
                sum, samples);
  }
  if (written <= max_label_sets) return 0;
  add_samples({{"mpi_job", job.name}, {"collective", "other"}, {"message_size", "other"}, {"path", "other"}}, other,
              samples);
  return written - max_label_sets;
}

}  // namespace airamp::telemetry
