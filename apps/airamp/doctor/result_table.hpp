// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/airamp/doctor/check_table.hpp"

namespace airamp::doctor {

/// The findings as a table for people: verdict, check, what was found, what to do. Long cells go on in the next lines.
std::string result_table(const std::vector<Result>& results);

/// The same for programs: an array of objects with "check", "verdict", "found" and "advice".
nlohmann::json result_json(const std::vector<Result>& results);

}  // namespace airamp::doctor
