// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "telemetry/segment/layout.hpp"

namespace airamp::telemetry {

/// Reads the header of a segment that may be in use. Returns an empty string, or why the file is not a segment of this
/// version. Never maps the file: it may shrink at any time.
std::string read_header(int descriptor, layout::Header& header);

/// A private copy of a segment, made while its process goes on writing. Only the parts in use are copied. Reusable; not
/// thread-safe.
class SegmentImage {
 public:
  SegmentImage();

  /// Copies the segment. Rows with a version that changed meanwhile are left with an odd one. Returns an empty string,
  /// or why there is no copy. The header and its counts are checked, the rest is not.
  std::string read(int descriptor);

  const layout::Segment& segment() const { return *copy_; }

 private:
  std::string read_versioned(int descriptor, layout::Segment& target) const;
  bool mark_unstable_rows();

  std::unique_ptr<layout::Segment> copy_;
  std::unique_ptr<layout::Segment> before_;
  std::unique_ptr<layout::Segment> after_;
};

/// Why the counts of a header cannot be right, or empty.
std::string why_not_plausible(const layout::Header& header);

}  // namespace airamp::telemetry
