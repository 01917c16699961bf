// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/speedup_chart.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/airamp/report_page/charts/dot_chart.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/signature_label.hpp"

namespace airamp::report_page {

std::string speedup_section(const RunReport& report) {
  constexpr std::string_view heading = "Speed-up of each kind of call";
  const double demanded = report.setting_number("min_speedup");
  DotChart chart{.description = "Speed-up over native MPI for each kind of call, on a logarithmic axis",
                 .rows = {},
                 .first = 0.5,
                 .last = 2,
                 .stem_from = 1,
                 .limit = demanded >= 1 && demanded <= 100 ? demanded : std::nan(""),
                 .limit_text = "chosen from " + speedup_text(demanded),
                 .tick_text = [](double value) { return fmt::format("{:g}×", value); }};
  for (const RunReport::Signature* signature : charted(report, &RunReport::Signature::speedup)) {
    chart.rows.push_back({signature, signature->speedup, speedup_text(signature->speedup)});
  }
  if (chart.rows.empty()) {
    return section(heading,
                   missing("No kind of call was measured both ways in this run: there is no speed-up to show."));
  }
  return section(heading,
                 "<p>Best native time over best AIRamp time of the measured calls, by the slowest rank. Filled dots: "
                 "AIRamp carries these calls. Hollow dots: measured, and left to the MPI library.</p>\n" +
                     draw(chart) + only_some(report, &RunReport::Signature::speedup));
}

}  // namespace airamp::report_page
