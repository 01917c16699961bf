// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

#include "telemetry/report.hpp"

namespace airamp::telemetry {

/// A run of 100 s on four ranks of two hosts, all settings at their defaults.
inline Report example_run() {
  Report report{.ranks = 4, .on = true, .run_seconds = 100};
  report.settings = {{"enable_fp8_allgather", "false"},
                     {"enable_fp8_allreduce", "false"},
                     {"enable_shared_memory", "true"},
                     {"force", "none"},
                     {"max_relative_error", "0.05"},
                     {"min_bytes", "1M"},
                     {"ranks_per_host", "0"},
                     {"reduction_order", "native"},
                     {"telemetry", "true"}};
  report.hosts = {{.name = "a", .ranks = 2, .processors = 8}, {.name = "b", .ranks = 2, .processors = 8}};
  return report;
}

/// Adds a hundred native calls of a kind that together took so long, on every rank.
inline Report::Signature& add_native(Report& report, const std::string& function, std::uint64_t size, double seconds,
                                     Reason reason) {
  report.traffic.push_back(
      {.function = function, .size = size, .path = "native", .calls = 100, .bytes = 100 * size, .seconds = seconds});
  report.rank_costs.resize(static_cast<std::size_t>(report.ranks));
  for (Report::Rank& rank : report.rank_costs) {
    rank.collective_seconds += seconds;
    rank.functions[function].calls += 100;
    rank.functions[function].seconds += seconds;
  }
  report.signatures.push_back({.function = function,
                               .size = size,
                               .path = "native",
                               .state = DecisionState::not_eligible,
                               .calls = 100,
                               .bytes = 100 * size,
                               .native_median_seconds = std::nan(""),
                               .airamp_median_seconds = std::nan(""),
                               .speedup = std::nan(""),
                               .relative_error = std::nan(""),
                               .maximum_error = std::nan(""),
                               .reason = reason});
  return report.signatures.back();
}

/// Adds a kind of which 100 calls went over `path`, with these medians.
inline Report::Signature& add_accelerated(Report& report, const std::string& path, double native_median,
                                          double airamp_median) {
  report.signatures.push_back({.function = "MPI_Allreduce",
                               .size = 8,
                               .path = path,
                               .state = DecisionState::decided,
                               .calls = 100,
                               .accelerated_calls = 100,
                               .native_median_seconds = native_median,
                               .airamp_median_seconds = airamp_median,
                               .speedup = native_median / airamp_median,
                               .relative_error = 0,
                               .maximum_error = 0,
                               .reason = Reason::fastest});
  report.traffic.push_back(
      {.function = "MPI_Allreduce", .size = 8, .path = path, .calls = 100, .seconds = 100 * airamp_median});
  return report.signatures.back();
}

}  // namespace airamp::telemetry
