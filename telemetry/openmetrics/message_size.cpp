// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/openmetrics/message_size.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>

namespace airamp::telemetry {

std::string message_size(std::uint64_t lower_bound) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (lower_bound == 0) return "0-1B";
  const auto exponent = static_cast<unsigned>(std::bit_width(lower_bound) - 1);
  const unsigned first = 1U << (exponent % 10);
  return fmt::format("{}-{}{}", first, 2 * first, units.at(exponent / 10));
}

}  // namespace airamp::telemetry
