// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {

std::optional<Recommendation> any_order(const RunFigures& run) {
  const double share = share_of(run, [](const Report::Signature& s) {
    return s.reason == Reason::no_order_of_sums || s.reason == Reason::order_not_asked ||
           s.reason == Reason::order_not_by_host;
  });
  if (!(share >= worth_a_setting) || run.setting("reduction_order") != "native") return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::any_order,
      .share = share,
      .why = time_spent(run, share,
                        "sums whose order in the MPI library AIRamp does not know and therefore does not touch"),
      .effect = fmt::format("they may go through shared memory; {}", decided_by_measuring),
      .cost = "last digits of floating-point sums may differ from the MPI library's, and from run to run"};
  advice.set({{"reduction_order", "any"}});
  return advice;
}

std::optional<Recommendation> native_order(const RunFigures& run) {
  double seconds = 0;
  for (const Report::Signature& s : run.report.signatures) {
    const double lost = s.airamp_median_seconds - s.native_median_seconds;
    if (s.reason == Reason::order_promised && lost > 0) seconds += lost * static_cast<double>(s.accelerated_calls);
  }
  const double share = run.share(seconds);
  if (!(share >= worth_a_setting)) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::native_order,
                        .share = share,
                        .why = fmt::format("AIRAMP_REDUCTION_ORDER={} cost an estimated {} of the run",
                                           run.setting("reduction_order"), base::percent(share)),
                        .effect = "that time, as an estimate",
                        .cost = "the promise: sums have the MPI library's last digits again"};
  advice.set({{"reduction_order", "native"}});
  return advice;
}

}  // namespace airamp::telemetry
