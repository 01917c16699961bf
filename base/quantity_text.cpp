// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "base/quantity_text.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace airamp::base {
namespace {

template <class... Numbers>
std::string formatted(const char* format, Numbers... numbers) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), format, numbers...);
  return text.data();
}

std::string with_unit(double value, const char* unit) {
  return formatted(value < 10 ? "%.2f %s" : value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
}

}  // namespace

std::string duration(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (std::isinf(seconds)) return "longer";
  if (seconds == 0) return "0 s";
  if (seconds < 1e-6) return with_unit(seconds * 1e9, "ns");
  if (seconds < 1e-3) return with_unit(seconds * 1e6, "us");
  if (seconds < 1) return with_unit(seconds * 1e3, "ms");
  if (seconds < 600) return with_unit(seconds, "s");
  const auto minutes = static_cast<long long>(seconds / 60);
  return formatted("%lld h %02lld min", minutes / 60, minutes % 60);
}

std::string byte_size(std::uint64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  return formatted(value == std::floor(value) ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

std::string percent(double share) {
  if (std::isnan(share)) return "-";
  if (share > 0 && share < 0.0005) return "below 0.1 %";
  if (share < 1 && share >= 0.9995) return "above 99.9 %";
  return formatted(share == 0 || share == 1 ? "%.0f %%" : "%.1f %%", 100 * share);
}

std::string counted(std::uint64_t count, const char* singular, const char* plural) {
  return std::to_string(count) + ' ' + (count == 1 ? singular : plural);
}

}  // namespace airamp::base
