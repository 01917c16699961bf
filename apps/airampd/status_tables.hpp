// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airampd/job_summary.hpp"

namespace airamp::sidecar {

/// Rows of a table at most; what more there is, is said below it.
inline constexpr std::size_t max_table_rows = 128;

// Parts of the status page, each with its heading; empty if there is nothing to show.

std::string path_table(const JobSummary& job);
std::string decision_table(const JobSummary& job);
std::string pola_table(const JobSummary& job);
std::string rank_table(const JobSummary& job);
std::string error_list(const std::vector<std::string>& errors);

}  // namespace airamp::sidecar
