// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/html/html.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace airamp {
namespace {

constexpr std::string_view not_measured = "–";

/// Three significant digits at least.
std::string rounded(double value) { return fmt::format("{:.{}f}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0); }

}  // namespace

std::string html(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string html_bytes(double bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1023.5 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{} {}", unit == 0 ? fmt::format("{:.0f}", bytes) : rounded(bytes), units.at(unit));
}

std::string html_seconds(double seconds) {
  if (std::isnan(seconds)) return std::string(not_measured);
  if (std::isinf(seconds)) return "∞";
  if (seconds == 0) return "0 s";
  if (seconds < 999.5e-6) return rounded(seconds * 1e6) + " µs";
  if (seconds < 999.5e-3) return rounded(seconds * 1e3) + " ms";
  if (seconds < 120) return rounded(seconds) + " s";
  const auto minutes = static_cast<std::uint64_t>(std::min(seconds, 1e15) / 60);
  return minutes < 120 ? fmt::format("{} min", minutes) : fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string html_count(std::uint64_t count) {
  std::string digits = fmt::format_int(count).str();
  for (std::size_t place = digits.size(); place > 3; place -= 3) digits.insert(place - 3, "\u202f");
  return digits;
}

std::string html_number(double value, std::string_view format) {
  return std::isnan(value) ? std::string(not_measured) : fmt::format(fmt::runtime(format), value);
}

}  // namespace airamp
