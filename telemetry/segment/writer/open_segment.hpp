// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "telemetry/segment/layout.hpp"
#include "telemetry/segment/tick_clock.hpp"

namespace airamp::telemetry {

struct Identity;

/// A segment's memory, unmapped at the end.
class SegmentMapping {
 public:
  SegmentMapping() noexcept = default;
  explicit SegmentMapping(layout::Segment* segment) noexcept : segment_(segment) {}
  ~SegmentMapping();
  SegmentMapping(SegmentMapping&& other) noexcept : segment_(std::exchange(other.segment_, nullptr)) {}
  SegmentMapping& operator=(SegmentMapping&& other) noexcept {
    std::swap(segment_, other.segment_);
    return *this;
  }
  layout::Segment& segment() const noexcept { return *segment_; }

 private:
  layout::Segment* segment_ = nullptr;
};

/// A new segment with its identity written, or why there is none.
struct OpenedSegment {
  SegmentMapping mapping;
  std::string file;
  std::string why_not;
  ClockReading opened;
};

/// Makes a rank's segment. May throw std::bad_alloc.
OpenedSegment open_segment(const std::string& folder, const std::string& job, const Identity& identity);

}  // namespace airamp::telemetry
