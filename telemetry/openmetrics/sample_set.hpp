// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "telemetry/openmetrics/exposition.hpp"
#include "telemetry/openmetrics/labels.hpp"
#include "telemetry/openmetrics/metric.hpp"
#include "telemetry/segment/snapshot.hpp"

namespace airamp::telemetry {

/// The samples of one scrape, as text, by family. Both formats write samples alike; they differ in what stands around
/// them. Samples of one family keep the order in which they were added. Not thread-safe.
class SampleSet {
 public:
  void add(Metric metric, const Labels& labels, std::uint64_t value);

  /// NaN stands for "not measured" and adds no sample.
  void add(Metric metric, const Labels& labels, double value);

  /// One series per name of `states`, 1 for those in `active`.
  void add_states(Metric metric, const Labels& labels, std::span<const std::string_view> states,
                  std::span<const bool> active);

  /// Counts per bucket, as in a snapshot, not cumulative; `sum` in seconds.
  void add_histogram(Metric metric, const Labels& labels, const std::array<std::uint64_t, latency_buckets>& counts,
                     double sum);

  /// The whole scrape: every family that has samples, once, in the order of Metric.
  std::string to_text(Exposition exposition) const;

 private:
  std::string& start_sample(Metric metric, std::string_view suffix, const Labels& labels);

  std::array<std::string, metric_count> samples_;
};

}  // namespace airamp::telemetry
