// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace airamp {

/// Element formats of what travels compressed; block scaling after OCP Microscaling (MX) v1.0.
enum class WireFormat : std::uint8_t { mxfp8_e4m3, mxfp8_e5m2, mxint8, mxfp6_e2m3, mxfp6_e3m2, mxfp4 };

/// In the order of their numbers.
inline constexpr std::array every_wire_format = {WireFormat::mxfp8_e4m3, WireFormat::mxfp8_e5m2,
                                                 WireFormat::mxint8,     WireFormat::mxfp6_e2m3,
                                                 WireFormat::mxfp6_e3m2, WireFormat::mxfp4};

/// The name of a wire format in settings and reports; empty for a value that is none.
constexpr std::string_view to_string(WireFormat format) {
  switch (format) {
    case WireFormat::mxfp8_e4m3:
      return "mxfp8-e4m3";
    case WireFormat::mxfp8_e5m2:
      return "mxfp8-e5m2";
    case WireFormat::mxint8:
      return "mxint8";
    case WireFormat::mxfp6_e2m3:
      return "mxfp6-e2m3";
    case WireFormat::mxfp6_e3m2:
      return "mxfp6-e3m2";
    case WireFormat::mxfp4:
      return "mxfp4";
  }
  return {};
}

}  // namespace airamp
