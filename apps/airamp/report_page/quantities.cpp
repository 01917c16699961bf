// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "apps/html/html.hpp"
#include "base/quantity_text.hpp"

namespace airamp::report_page {
namespace {

constexpr const char* dash = "–";

std::string superscript(int exponent) {
  constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (const char digit : std::to_string(std::abs(exponent))) text += digits.at(static_cast<std::size_t>(digit - '0'));
  return text;
}

struct BinaryAmount {
  std::uint64_t amount;
  const char* unit;
};

/// In the largest unit of which the power of two is a whole number.
BinaryAmount binary_amount(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  std::size_t unit = 0;
  for (; bytes >= 1024; bytes >>= 10U) ++unit;
  return {bytes, units.at(unit)};
}

}  // namespace

double share(double part, double whole) {
  const double quotient = part / whole;
  return std::isfinite(quotient) && whole > 0 ? std::clamp(quotient, 0.0, 1.0) : 0.0;
}

std::string percent(double share) { return std::isnan(share) ? dash : base::percent(share); }

std::string duration(double seconds) {
  constexpr double shortest = 120;
  constexpr double longest = 7200;
  if (!(seconds >= shortest && seconds < longest)) return html_seconds(seconds);
  const auto whole = static_cast<unsigned>(seconds + 0.5);
  return fmt::format("{} min {:02} s", whole / 60, whole % 60);
}

std::string speedup_text(double speedup) {
  if (std::isnan(speedup)) return dash;
  return speedup >= 99.95 ? fmt::format("{:.3g}×", speedup) : fmt::format("{:.{}f}×", speedup, speedup < 9.995 ? 2 : 1);
}

std::string error_text(double error) {
  if (std::isnan(error)) return dash;
  if (std::isinf(error)) return "∞";
  if (error == 0) return "0";
  if (error >= 0.001 && error < 1000) return fmt::format("{:.2g}", error);
  const std::string scientific = fmt::format("{:.1e}", error);
  const std::size_t e = scientific.find('e');
  return scientific.substr(0, e) + "×10" + superscript(std::stoi(scientific.substr(e + 1)));
}

std::string size_range(std::uint64_t lower_bound) {
  if (lower_bound == 0) return "0 B";
  if (!std::has_single_bit(lower_bound)) return "from " + html_bytes(static_cast<double>(lower_bound));
  if (lower_bound == std::uint64_t{1} << 63U) return "from 8 EiB";
  const auto [from, from_unit] = binary_amount(lower_bound);
  const auto [to, to_unit] = binary_amount(2 * lower_bound);
  if (std::string_view(from_unit) == to_unit) return fmt::format("{}–{} {}", from, to, to_unit);
  return fmt::format("{} {}–{} {}", from, from_unit, to, to_unit);
}

std::string counted(std::uint64_t count, std::string_view singular, std::string_view plural) {
  return fmt::format("{} {}", html_count(count), count == 1 ? singular : plural);
}

std::string unbroken(std::string text) {
  for (std::size_t i = text.find(' '); i != std::string::npos; i = text.find(' ', i)) text.replace(i, 1, "\u00a0");
  return text;
}

TimeUnit time_unit(double largest_seconds) {
  if (largest_seconds < 1e-3) return {1e-6, "µs"};
  if (largest_seconds < 1) return {1e-3, "ms"};
  if (largest_seconds < 300) return {1, "s"};
  if (largest_seconds < 18000) return {60, "min"};
  return {3600, "h"};
}

}  // namespace airamp::report_page
