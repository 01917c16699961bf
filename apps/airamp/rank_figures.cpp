// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/rank_figures.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace airamp::command_line {
namespace {

std::string number(double value, const char* unit) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), value < 10 ? "%.2f %s" : value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
  return text.data();
}

}  // namespace

CallFigures call_figures(const telemetry::RankSnapshot& rank) {
  CallFigures figures;
  for (const telemetry::RankSnapshot::Traffic& traffic : rank.traffic) {
    figures.calls += traffic.calls;
    if (!traffic.path.empty() && traffic.path != "native") figures.accelerated += traffic.calls;
  }
  return figures;
}

std::string pola_summary(const telemetry::RankSnapshot& rank) {
  const telemetry::RankSnapshot::Communicator* busiest = nullptr;
  for (const telemetry::RankSnapshot::Communicator& communicator : rank.communicators) {
    if (communicator.pola_state == "off" || communicator.size == 0) continue;  // 0: what several share
    if (busiest == nullptr || communicator.pola_events > busiest->pola_events) busiest = &communicator;
  }
  if (busiest == nullptr) return {};
  if (busiest->pola_state != "locked") return busiest->pola_state;
  return "locked, " + std::to_string(busiest->pola_period) + (busiest->pola_period == 1 ? " call" : " calls");
}

std::string duration(double seconds) {
  if (std::isnan(seconds)) return "-";
  if (std::isinf(seconds)) return "longer";
  if (seconds < 1e-6) return number(seconds * 1e9, "ns");
  if (seconds < 1e-3) return number(seconds * 1e6, "us");
  if (seconds < 1) return number(seconds * 1e3, "ms");
  if (seconds < 600) return number(seconds, "s");
  std::array<char, 48> text{};
  const auto minutes = static_cast<long long>(seconds / 60);
  std::snprintf(text.data(), text.size(), "%lld h %02lld min", minutes / 60, minutes % 60);
  return text.data();
}

std::string byte_size(std::uint64_t bytes) {
  static constexpr std::array units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < units.size(); ++unit) value /= 1024;
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), value == std::floor(value) ? "%.0f %s" : "%.1f %s", value, units[unit]);
  return text.data();
}

}  // namespace airamp::command_line
