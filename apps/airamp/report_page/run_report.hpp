// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "telemetry/report.hpp"

namespace airamp::report_page {

/// What a report in JSON says (docs/report.md). Lists that the file lacks are empty, quantities that it lacks NaN.
struct RunReport {
  using Signature = telemetry::Report::Signature;
  using Pattern = telemetry::Report::Pattern;
  using Traffic = telemetry::Report::Traffic;

  /// What may be set otherwise, in words.
  struct Recommendation {
    std::string action;
    std::string why;
    std::string effect;
    std::string cost;
  };

  /// A place in the program.
  struct Frame {
    telemetry::Report::Frame address;
    std::string function;  ///< as the debugging information of the file names it; empty: not known
    std::string line;      ///< "file:line"; the same
  };

  /// Calls of a function from one place of the program.
  struct CallSite {
    std::string function;
    std::uint64_t calls = 0;
    std::uint64_t bytes = 0;
    double seconds = std::nan("");
    std::vector<Frame> stack;  ///< innermost first; empty: from all other places
  };

  struct Rank {
    std::uint64_t rank = 0;
    telemetry::Report::Rank costs;
  };

  std::string version;
  std::string mpi;
  std::uint64_t ranks = 0;
  std::string state;  ///< "on" or "off"
  std::string why_off;

  std::string program;
  std::string started;  ///< ISO 8601, UTC
  double seconds = std::nan("");

  std::map<std::string, std::string> settings;
  std::vector<std::pair<std::string, std::uint64_t>> functions;
  std::vector<Signature> signatures;
  std::vector<Pattern> patterns;
  std::vector<Traffic> traffic;
  std::vector<telemetry::Report::Messages> messages;
  std::vector<CallSite> call_sites;
  std::vector<Rank> rank_costs;  ///< in the order of the ranks
  std::uint64_t tuning_calls = 0;
  double tuning_seconds = std::nan("");

  std::string verdict;
  std::vector<Recommendation> recommendations;
  std::vector<std::string> findings;

  /// A setting as a number; NaN if it is missing or none.
  double setting_number(const std::string& key) const;
};

/// Why a text is not a report. The message says where in it.
class ReportError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads a report's JSON. Unknown keys are ignored, and null stands for a missing value, as do
/// quantities that are negative or above 10^15. Throws ReportError for what is
/// no JSON (with line and column), no report of AIRamp, or has a value of the wrong type.
RunReport read_run_report(std::string_view json);

}  // namespace airamp::report_page
