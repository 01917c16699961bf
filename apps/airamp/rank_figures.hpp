// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "telemetry/segment/snapshot.hpp"

namespace airamp::command_line {

/// A rank's calls, all communicators together.
struct CallFigures {
  std::uint64_t calls = 0;
  std::uint64_t accelerated = 0;
};
CallFigures call_figures(const telemetry::RankSnapshot& rank);

/// The part of its time so far that a rank spent in collectives and in waiting for messages or requests, 0 to 1; NaN
/// where that is not known.
struct TimeShares {
  double collectives = 0;
  double messages = 0;
};
TimeShares time_shares(const telemetry::RankSnapshot& rank);

/// PoLA's state on the communicator with most of its events: with the period if it is locked, "locked, 12 calls",
/// "learning"; empty without any.
std::string pola_summary(const telemetry::RankSnapshot& rank);

}  // namespace airamp::command_line
