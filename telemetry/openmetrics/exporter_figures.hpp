// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace airamp::telemetry {

/// What the exporter says about itself.
struct ExporterFigures {
  bool up = true;                                 ///< the folder of segments could be read
  std::uint64_t segment_errors = 0;               ///< since it started
  double read_seconds = 0;                        ///< for reading all segments last time
  std::map<int, std::uint64_t> http_requests;     ///< by status code, since it started
  std::optional<std::uint64_t> http_connections;  ///< nothing: it does not serve
};

}  // namespace airamp::telemetry
