// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/process_identity.hpp"

namespace airamp::telemetry {

/// The process that writes a segment, as seen from here.
struct SegmentOwner {
  /// Whether it would be one of our process ids: same boot, same pid namespace.
  bool observable = false;
  /// Whether it runs; if it is not observable, whether it has not finalized.
  bool alive = false;
  /// Letter of /proc/PID/stat; 0 if it is gone or not observable.
  char state = 0;
};

SegmentOwner owner_of(const layout::Header& header, const ProcessSpace& own);

}  // namespace airamp::telemetry
