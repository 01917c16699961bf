// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::command_line {

/// A job in a few lines: one about all of it, then a table of its ranks.
std::string rank_table(const std::string& job, const std::vector<telemetry::RankSnapshot>& ranks);

/// The ranks by what they cost the job, the costliest first, at most `most`, and where they run.
std::string straggler_table(const std::vector<telemetry::RankSnapshot>& ranks, std::size_t most);

/// The same figures for programs.
nlohmann::json rank_json(const std::string& job, const std::vector<telemetry::RankSnapshot>& ranks);
nlohmann::json straggler_json(const std::vector<telemetry::RankSnapshot>& ranks);

}  // namespace airamp::command_line
