// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/charts/error_chart.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/airamp/report_page/charts/dot_chart.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/section.hpp"
#include "apps/airamp/report_page/signature_label.hpp"

namespace airamp::report_page {

std::string error_section(const RunReport& report) {
  constexpr std::string_view heading = "Measured error against the bound";
  const double bound = report.setting_number("max_relative_error");
  const bool drawn = bound > 0 && bound <= 1;
  DotChart chart{.description = "Relative error against the native result for each kind of call, on a logarithmic axis",
                 .rows = {},
                 .first = drawn ? bound / 20 : 1e-4,
                 .last = drawn ? bound * 2 : 0.1,
                 .stem_from = std::nan(""),
                 .limit = drawn ? bound : std::nan(""),
                 .limit_text = "bound " + error_text(bound),
                 .tick_text = error_text};
  for (const RunReport::Signature* signature : charted(report, &RunReport::Signature::relative_error)) {
    chart.rows.push_back({signature, signature->relative_error, error_text(signature->relative_error)});
  }
  if (chart.rows.empty()) {
    return section(heading, missing("No kind of call was measured both ways in this run: there is no error to show."));
  }
  return section(heading,
                 "<p>Largest relative error (L2 norm) of AIRamp's result against the native result of the same call. "
                 "To the right of the bound a path is never used. The bound is the job's; a communicator may have "
                 "been given its own.</p>\n" +
                     draw(chart) + only_some(report, &RunReport::Signature::relative_error));
}

}  // namespace airamp::report_page
