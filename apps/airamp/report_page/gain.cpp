// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/gain.hpp"

#include <cmath>

#include "apps/airamp/report_page/quantities.hpp"

namespace airamp::report_page {
namespace {

double accelerated_bytes(const RunReport& report) {
  double all = 0;
  double accelerated = 0;
  for (const RunReport::Traffic& row : report.traffic) {
    all += static_cast<double>(row.bytes);
    if (row.path != "native") accelerated += static_cast<double>(row.bytes);
  }
  return all > 0 ? share(accelerated, all) : std::nan("");
}

}  // namespace

Gain gain_of(const RunReport& report) {
  Gain gain{
      .accelerated_bytes = accelerated_bytes(report), .best_speedup = std::nan(""), .largest_error = std::nan("")};
  if (report.tuning_seconds > 0) gain.tuning_seconds = report.tuning_seconds;
  for (const RunReport::Signature& signature : report.signatures) {
    gain.calls += signature.calls;
    gain.accelerated_calls += signature.accelerated_calls;
    if (signature.accelerated_calls == 0) continue;
    if (signature.path != "native") {
      gain.best_speedup = std::fmax(gain.best_speedup, signature.speedup);
      gain.largest_error = std::fmax(gain.largest_error, signature.relative_error);
    }
    const double saved_by_call = signature.native_median_seconds - signature.airamp_median_seconds;
    if (std::isnan(saved_by_call)) continue;
    gain.estimated_calls += signature.accelerated_calls;
    gain.saved_seconds += static_cast<double>(signature.accelerated_calls) * saved_by_call;
  }
  return gain;
}

}  // namespace airamp::report_page
