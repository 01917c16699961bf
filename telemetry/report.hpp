// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace airamp::telemetry {

/// What a run's report says; quantities are rank 0's, times in seconds. NaN stands for "not measured".
struct Report {
  /// One kind of call: a function, a size bucket and, where it mattered, communicator, element type and reduction.
  struct Signature {
    std::string function;
    std::string communicator;  ///< empty: all communicators together
    std::uint64_t size = 0;    ///< lower bound of the power-of-two bucket, bytes
    std::string element;
    std::string op;
    std::string path;   ///< of the last call: "native" or an algorithm's name
    std::string state;  ///< "measuring", "decided" or "not-eligible"
    std::uint64_t calls = 0;
    std::uint64_t accelerated_calls = 0;
    std::uint64_t bytes = 0;
    double native_median_seconds = 0;
    double airamp_median_seconds = 0;
    double speedup = 0;
    double relative_error = 0;
    double maximum_error = 0;
    std::string why;  ///< why this path
  };

  std::string version;
  std::string mpi;
  int ranks = 0;
  bool on = false;
  std::string why_off;
  std::map<std::string, std::string> settings;
  std::vector<std::pair<std::string, std::uint64_t>> functions;  ///< calls per entry point
  std::vector<Signature> signatures;
  std::uint64_t tuning_calls = 0;
  double tuning_seconds = 0;
};

/// The report as a JSON object (the format is described in docs/report.md). May throw std::bad_alloc.
std::string to_json(const Report& report);

/// The report as a table for people. May throw std::bad_alloc.
std::string to_text(const Report& report);

/// Writes the report to `destination`: "stderr", or a file, as JSON if its name ends in .json and as text otherwise.
/// Returns an empty string, or what went wrong. Never throws.
std::string write_report(const Report& report, const std::string& destination) noexcept;

}  // namespace airamp::telemetry
