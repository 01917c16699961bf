// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/fallback_reason.hpp"

namespace airamp::telemetry {

std::string_view fallback_reason(const RankSnapshot::Decision& decision) noexcept {
  if (decision.path != "native") return {};
  if (decision.state == "not-eligible") return "not_eligible";
  // The tuner's own words (tuner::SignatureTuner::why); what else is said is said before it comes to measuring.
  if (decision.why.empty() || decision.why == "still measuring") return {};
  if (decision.why.starts_with("relative error")) return "error_above_bound";
  if (decision.why.starts_with("only ")) return "too_slow";
  return decision.why.starts_with("imposed") ? "imposed" : "not_acquired";
}

}  // namespace airamp::telemetry
