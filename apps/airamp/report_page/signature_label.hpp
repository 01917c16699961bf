// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// Names for signatures. Not escaped.

/// A function without "MPI_".
std::string short_name(const std::string& function);

/// "all communicators" for the empty name.
std::string communicator_name(const std::string& name);

/// "float16 sum"; empty where neither mattered.
std::string element_and_op(const RunReport::Signature& signature);

/// What a chart has room for.
inline constexpr std::size_t max_charted = 40;

/// Of those with a value at `quantity` that is not NaN the ones that moved the most bytes, at most `max_charted`, in
/// the order of their names and sizes. They live as long as the report.
std::vector<const RunReport::Signature*> charted(const RunReport& report, double RunReport::Signature::*quantity);

}  // namespace airamp::report_page
