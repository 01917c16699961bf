// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// What rank 0's collectives took on one path. Tuning counts as a path of its own.
struct PathTime {
  std::string path;
  std::uint64_t calls = 0;
  double seconds = 0;
  double bytes = 0;
};

inline constexpr const char* tuning_path = "tuning";

/// Longest first, tuning last. Empty if the report has no traffic.
std::vector<PathTime> path_times(const RunReport& report);

/// All paths together, seconds.
double collective_seconds(const RunReport& report);

/// What rank 0 waited for messages and requests, seconds; 0 where that was not timed.
double message_seconds(const RunReport& report);

/// The section about the time per path, as HTML.
std::string path_time_section(const RunReport& report);

}  // namespace airamp::report_page
