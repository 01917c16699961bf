// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/tables/untouched.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/quantities.hpp"

namespace airamp::report_page {
namespace {

constexpr std::size_t max_reasons = 6;

/// Of a kind of calls that was to be measured; `reason` is none in the reports of an older AIRamp.
std::string reason_of_measured(const RunReport::Signature& signature) {
  switch (signature.reason) {
    case Reason::none:
      if (signature.state == DecisionState::measuring) break;
      return "measured: AIRamp's way was not faster by enough, or not exact enough (the table below says which)";
    case Reason::measuring:
      break;
    case Reason::too_slow:
      return "measured: AIRamp's way was not faster by enough (the table below has the figures)";
    case Reason::error_above_bound:
      return "measured: AIRamp's way was not exact enough (the table below has the figures)";
    default:
      return signature.why;
  }
  return "still being measured when the run ended";
}

/// Of a signature's calls that went natively.
std::string reason_of(const RunReport::Signature& signature) {
  if (signature.state == DecisionState::not_eligible || signature.state == DecisionState::failed) return signature.why;
  if (signature.path != "native") return "of accelerated kinds: measured before the decision, or to confirm it";
  return reason_of_measured(signature);
}

}  // namespace

std::string untouched(const RunReport& report) {
  std::map<std::string, std::uint64_t> reasons;
  for (const RunReport::Signature& signature : report.signatures) {
    const std::uint64_t native = signature.calls - std::min(signature.calls, signature.accelerated_calls);
    if (native > 0) reasons[reason_of(signature)] += native;
  }
  if (reasons.empty()) return {};
  std::vector<std::pair<std::string, std::uint64_t>> order(reasons.begin(), reasons.end());
  std::ranges::stable_sort(order, std::ranges::greater(), &std::pair<std::string, std::uint64_t>::second);
  std::string text = "<ul>\n";
  for (std::size_t i = 0; i < std::min(order.size(), max_reasons); ++i) {
    const auto& [why, calls] = order[i];
    text += fmt::format("<li><strong>{}</strong> {}</li>\n", unbroken(counted(calls, "call", "calls")),
                        why.empty() ? "for no stated reason" : escape(why));
  }
  if (order.size() > max_reasons) text += fmt::format("<li>and {} rarer reasons</li>\n", order.size() - max_reasons);
  return text + "</ul>\n";
}

}  // namespace airamp::report_page
