// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/openmetrics/job_samples.hpp"
#include "telemetry/openmetrics/message_size.hpp"

namespace airamp::telemetry {
namespace {

// With Detail::job.
constexpr std::size_t max_kinds_of_calls = 24;
constexpr std::size_t max_paths = 6;

constexpr std::uint64_t every_size = ~std::uint64_t{0};

/// What calls are summed up by.
struct Key {
  std::string_view function;        ///< empty: every one
  std::uint64_t size = every_size;  ///< lower bound of the bucket, bytes
  std::string_view path;
  auto operator<=>(const Key&) const = default;
};
constexpr std::string_view other = "other";

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

using Sums = std::map<Key, Sum>;

Sums sum_up(const JobOnHost& job, auto key_of) {
  Sums sums;
  for (const RankSnapshot* rank : job.ranks) {
    for (const RankSnapshot::Traffic& traffic : rank->traffic) sums[key_of(traffic)].add(traffic);
  }
  return sums;
}

/// What `most` label sets with the most calls leave over becomes one more. Returns how many those were.
std::size_t fold(Sums& sums, std::size_t most) {
  if (sums.size() <= most) return 0;
  std::vector<Sums::iterator> order;
  for (auto sum = sums.begin(); sum != sums.end(); ++sum) order.push_back(sum);
  std::ranges::stable_sort(order, std::greater(), [](const auto& sum) { return sum->second.calls; });
  Key key{.function = order.front()->first.function.empty() ? "" : other, .path = other};
  Sum rest;
  for (std::size_t i = most; i < order.size(); ++i) {
    rest.add(order[i]->second);
    sums.erase(order[i]);
  }
  sums[key].add(rest);
  return order.size() - most;
}

Labels labels_of(const JobOnHost& job, Detail detail, const Key& key) {
  Labels labels = job_labels(job);
  if (!key.function.empty()) labels.add("collective", key.function);
  if (detail == Detail::all) labels.add("message_size", key.size == every_size ? other : message_size(key.size));
  return labels.add("path", key.path);
}

void add_volume(const Labels& labels, const Sum& sum, SampleSet& samples) {
  samples.add(Metric::payload_bytes, labels, sum.bytes);
  samples.add(Metric::wire_bytes, labels, sum.wire_bytes);
  samples.add(Metric::collective_seconds, labels, sum.seconds);
}

std::size_t add_all(const JobOnHost& job, SampleSet& samples) {
  Sums sums = sum_up(job, [](const RankSnapshot::Traffic& traffic) {
    return Key{traffic.function, std::bit_floor(traffic.size), traffic.path};
  });
  const std::size_t folded = fold(sums, max_label_sets);
  for (const auto& [key, sum] : sums) {
    const Labels labels = labels_of(job, Detail::all, key);
    samples.add(Metric::calls, labels, sum.calls);
    add_volume(labels, sum, samples);
    samples.add_histogram(Metric::collective_duration, labels, sum.histogram, sum.seconds);
  }
  return folded;
}

}  // namespace

std::size_t add_traffic_samples(const JobOnHost& job, Detail detail, SampleSet& samples) {
  if (detail == Detail::all) return add_all(job, samples);
  Sums calls = sum_up(job, [](const auto& traffic) { return Key{.function = traffic.function, .path = traffic.path}; });
  Sums paths = sum_up(job, [](const auto& traffic) { return Key{.path = traffic.path}; });
  if (paths.empty()) return 0;
  const std::size_t folded = fold(calls, max_kinds_of_calls) + fold(paths, max_paths);
  for (const auto& [key, sum] : calls) samples.add(Metric::calls, labels_of(job, detail, key), sum.calls);
  Sum everything;
  for (const auto& [key, sum] : paths) {
    add_volume(labels_of(job, detail, key), sum, samples);
    everything.add(sum);
  }
  samples.add_histogram(Metric::collective_duration, job_labels(job), everything.histogram, everything.seconds);
  return folded;
}

}  // namespace airamp::telemetry
