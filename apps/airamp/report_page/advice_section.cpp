// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/advice_section.hpp"

#include <fmt/format.h>

#include "apps/airamp/report_page/escape.hpp"

namespace airamp::report_page {
namespace {

std::string recommendation(const RunReport::Recommendation& advice) {
  return fmt::format("<li><code>{}</code>: {}. Expect: {}.{}</li>\n", escape(advice.action), escape(advice.why),
                     escape(advice.effect),
                     advice.cost.empty() ? "" : " <strong>It costs:</strong> " + escape(advice.cost) + ".");
}

}  // namespace

std::string advice_section(const RunReport& report) {
  if (report.verdict.empty()) return {};
  std::string text = fmt::format("<section class=\"verdict\">\n<h2>{}</h2>\n", escape(report.verdict));
  if (!report.recommendations.empty()) {
    text += "<h3>What to set in the next run</h3>\n<ul>\n";
    for (const RunReport::Recommendation& row : report.recommendations) text += recommendation(row);
    text += "</ul>\n";
  }
  if (!report.findings.empty()) {
    text += "<h3>What was seen</h3>\n<ul>\n";
    for (const std::string& finding : report.findings) text += "<li>" + escape(finding) + "</li>\n";
    text += "</ul>\n";
  }
  return text + "</section>\n";
}

}  // namespace airamp::report_page
