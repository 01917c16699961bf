// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// A section of the page. Both texts are HTML.
std::string section(std::string_view heading, std::string_view content);

/// What stands in the place of a picture that cannot be drawn.
std::string missing(std::string_view why);

/// A note if charts have no room for all signatures that have this quantity; else empty.
std::string only_some(const RunReport& report, double RunReport::Signature::*quantity);

}  // namespace airamp::report_page
