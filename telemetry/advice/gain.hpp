// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "telemetry/report.hpp"

namespace airamp::telemetry {

/// What AIRamp carried, and an estimate of what that gained.
struct Gain {
  std::uint64_t calls = 0;  ///< of collectives
  std::uint64_t accelerated_calls = 0;
  double accelerated_bytes = 0;       ///< share of all bytes, 0 to 1; NaN if the report has no traffic
  std::uint64_t estimated_calls = 0;  ///< of these: those with a median of both ways
  double saved_seconds = 0;           ///< in them, by the medians; negative if something was lost
  double tuning_seconds = 0;
  double best_speedup = 0;   ///< of the kinds of calls that are accelerated at the end; NaN if there is none
  double largest_error = 0;  ///< relative, of the same

  double net_seconds() const { return saved_seconds - tuning_seconds; }
};

/// Of a report's signatures, traffic and time of tuning, in seconds; NaN if that is not known.
Gain gain_of(std::span<const Report::Signature> signatures, std::span<const Report::Traffic> traffic,
             double tuning_seconds);

}  // namespace airamp::telemetry
