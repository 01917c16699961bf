// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/airamp/report_page/signature_label.hpp"

namespace airamp::report_page {

std::string section(std::string_view heading, std::string_view content) {
  return fmt::format("<section>\n<h2>{}</h2>\n{}</section>\n", heading, content);
}

std::string missing(std::string_view why) { return fmt::format("<p class=\"missing\">{}</p>\n", why); }

std::string only_some(const RunReport& report, double RunReport::Signature::*quantity) {
  const auto all = std::ranges::count_if(report.signatures, [&](const auto& s) { return !std::isnan(s.*quantity); });
  if (static_cast<std::size_t>(all) <= max_charted) return {};
  return fmt::format(
      "<p class=\"note\">These {} of {} kinds of calls moved the most bytes; the table below has the others."
      "</p>\n",
      max_charted, all);
}

}  // namespace airamp::report_page
