// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/gain.hpp"

#include <cmath>

namespace airamp::telemetry {
namespace {

double accelerated_bytes(std::span<const Report::Traffic> traffic) {
  double all = 0;
  double accelerated = 0;
  for (const Report::Traffic& row : traffic) {
    all += static_cast<double>(row.bytes);
    if (row.path != "native") accelerated += static_cast<double>(row.bytes);
  }
  return all > 0 ? accelerated / all : std::nan("");
}

}  // namespace

Gain gain_of(std::span<const Report::Signature> signatures, std::span<const Report::Traffic> traffic,
             double tuning_seconds) {
  Gain gain{
      .accelerated_bytes = accelerated_bytes(traffic), .best_speedup = std::nan(""), .largest_error = std::nan("")};
  if (tuning_seconds > 0) gain.tuning_seconds = tuning_seconds;
  for (const Report::Signature& signature : signatures) {
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

}  // namespace airamp::telemetry
