// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "apps/airamp/report_page/run_report.hpp"

namespace airamp::report_page {

/// One dot per signature on a logarithmic axis, with a line at what was allowed or demanded.
struct DotChart {
  struct Row {
    const RunReport::Signature* signature;
    double value;  ///< zero stands at the axis' beginning
    std::string text;
  };

  std::string description;
  std::vector<Row> rows;
  double first;  ///< the axis covers at least first to last, and the values
  double last;
  double stem_from;  ///< from here a line leads to each dot; NaN for the axis' beginning
  double limit;      ///< NaN for none
  std::string limit_text;
  std::string (*tick_text)(double value);
};

/// The chart as SVG.
std::string draw(const DotChart& chart);

}  // namespace airamp::report_page
