// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace airamp::telemetry {

/// Text formats in which Prometheus reads metrics.
enum class Exposition {
  prometheus_text,  ///< Prometheus text format 0.0.4
  openmetrics       ///< OpenMetrics 1.0
};

/// The exact Content-Type of a format. A scraper may refuse any other spelling.
constexpr std::string_view content_type(Exposition exposition) {
  return exposition == Exposition::openmetrics ? "application/openmetrics-text; version=1.0.0; charset=utf-8"
                                               : "text/plain; version=0.0.4; charset=utf-8";
}

/// The format that a client asks for by its Accept header (RFC 9110, section 12.5.1): the one of highest quality,
/// OpenMetrics if both are equal and it is named. A client that names neither, or sends nothing, gets the text format.
/// Takes any bytes. Thread-safe.
Exposition negotiate(std::string_view accept) noexcept;

}  // namespace airamp::telemetry
