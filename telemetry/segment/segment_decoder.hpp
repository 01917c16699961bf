// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/process_identity.hpp"
#include "telemetry/segment/snapshot.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::telemetry {

/// Where and when segments are read.
struct Observer {
  ProcessSpace space;
  layout::ClockKind clock{};
  ClockReading now;

  /// This process, now.
  static Observer here();
};

/// A decoded segment, or why there is none.
struct Decoded {
  RankSnapshot snapshot;
  std::string error;
};

/// Turns a copy of a segment, whose header has been checked (SegmentImage::read), into a snapshot. Every index, time
/// and text is checked: one that cannot be right is an error. May throw std::bad_alloc.
Decoded decode(const layout::Segment& segment, const Observer& observer);

}  // namespace airamp::telemetry
