// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "telemetry/report.hpp"

namespace airamp::telemetry {
namespace {

std::string binary_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  unsigned unit = 0;
  auto value = static_cast<double>(bytes);
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.{}f} {}", value, value == std::floor(value) ? 0 : 1, units[unit]);
}

std::string microseconds(double seconds) { return std::isnan(seconds) ? "-" : fmt::format("{:.1f}", seconds * 1e6); }

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

}  // namespace

std::string to_text(const Report& report) {
  std::string text = fmt::format("AIRamp {} on {} ranks, {}: {}{}\n", report.version, report.ranks, report.mpi,
                                 report.on ? "on" : "off", report.why_off.empty() ? "" : " (" + report.why_off + ")");
  auto out = std::back_inserter(text);
  fmt::format_to(out, "tuning: {} calls, {:.3f} s beyond native\n", report.tuning_calls, report.tuning_seconds);
  fmt::format_to(out, "\n{:<24} {:>9} {:<10} {:<5} {:<14} {:>9} {:>9} {:>10} {:>11} {:>11} {:>7} {:>8}  {}\n",
                 "function", "size from", "element", "op", "path", "calls", "accel.", "bytes", "native us", "AIRamp us",
                 "ratio", "error", "why");
  for (const Report::Signature& s : report.signatures) {
    fmt::format_to(out, "{:<24} {:>9} {:<10} {:<5} {:<14} {:>9} {:>9} {:>10} {:>11} {:>11} {:>7} {:>8}  {}{}\n",
                   s.function, binary_bytes(s.size), s.element, s.op, s.path, s.calls, s.accelerated_calls,
                   binary_bytes(s.bytes), microseconds(s.native_median_seconds), microseconds(s.airamp_median_seconds),
                   number(s.speedup, "{:.2f}"), number(s.relative_error, "{:.1e}"), s.why,
                   s.communicator.empty() ? "" : " [" + s.communicator + "]");
  }
  fmt::format_to(out, "\ncalls seen:");
  for (const auto& [name, calls] : report.functions) fmt::format_to(out, " {} {}", name, calls);
  text += "\n";
  return text;
}

}  // namespace airamp::telemetry
