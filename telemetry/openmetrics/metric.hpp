// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace airamp::telemetry {

/// Metric types of OpenMetrics 1.0. The text format 0.0.4 has no info and no stateset: there they are gauges.
enum class MetricType : std::uint8_t { gauge, counter, histogram, info, stateset };

std::string_view to_string(MetricType type) noexcept;

/// Every metric family, in the order in which they are written. The list of docs/metrics.md follows it.
enum class Metric : std::uint8_t {
  up,
  info,
  status,
  rank_alive,
  rank_finalized,
  ranks,
  ranks_off,
  job_ranks,
  job_start_time,
  calls,
  payload_bytes,
  wire_bytes,
  collective_seconds,
  collective_duration,
  message_seconds,
  inside_collective,
  waiting,
  lateness,
  lateness_median,
  tuner_signatures,
  fallbacks,
  speedup,
  relative_error,
  agreements,
  tuning_calls,
  tuning,
  pola_state,
  pola_period,
  pola_predictions,
  device_scratch,
  ghost_kernel_launches,
  figures_dropped,
  label_sets_omitted,
  segment_errors,
  read_duration,
  http_requests,
  http_connections
};
inline constexpr std::size_t metric_count = static_cast<std::size_t>(Metric::http_connections) + 1;

/// What is written about a family before its samples.
struct MetricFamily {
  Metric metric;
  std::string_view name;  ///< without the suffix that a counter's or an info's samples carry
  MetricType type;
  std::string_view unit;  ///< a base unit, which the name ends in; empty: none
  std::string_view help;
};

/// All families, by Metric.
std::span<const MetricFamily> metric_families() noexcept;

const MetricFamily& family_of(Metric metric) noexcept;

/// What the name of a family's plain samples ends in: "_total", "_info" or nothing.
std::string_view sample_suffix(MetricType type) noexcept;

}  // namespace airamp::telemetry
