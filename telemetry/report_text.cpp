// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/quantity_text.hpp"
#include "telemetry/report.hpp"

namespace airamp::telemetry {
namespace {

std::string microseconds(double seconds) { return std::isnan(seconds) ? "-" : fmt::format("{:.1f}", seconds * 1e6); }

std::string number(double value, const char* format) {
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(format), value);
}

std::string advice_text(const Advice& advice) {
  std::string text = "verdict: " + advice.verdict.text + "\n";
  auto out = std::back_inserter(text);
  for (const Recommendation& r : advice.recommendations) {
    fmt::format_to(out, "to do: {}\n  because: {}\n  expect: {}\n", r.action, r.why, r.effect);
    if (!r.cost.empty()) fmt::format_to(out, "  costs: {}\n", r.cost);
  }
  for (const Finding& finding : advice.findings) fmt::format_to(out, "seen: {}\n", finding.text);
  return text;
}

std::string to_text(const Report::Frame& frame) {
  const std::string file = frame.object.substr(frame.object.rfind('/') + 1);
  return (frame.symbol.empty() ? "?" : frame.symbol) + fmt::format(" ({}+{:#x})", file, frame.offset);
}

}  // namespace

std::string to_text(const Report& report) {
  std::string text = advice_text(report.advice);
  text += fmt::format("\nAIRamp {} on {} ranks, {}: {}{}\n", report.version, report.ranks, report.mpi,
                      report.on ? "on" : "off", report.why_off.empty() ? "" : " (" + report.why_off + ")");
  auto out = std::back_inserter(text);
  fmt::format_to(out, "tuning: {} calls, {:.3f} s beyond native\n", report.tuning_calls, report.tuning_seconds);
  fmt::format_to(out, "\n{:<24} {:>9} {:<10} {:<5} {:<14} {:>9} {:>9} {:>10} {:>11} {:>11} {:>7} {:>8}  {}\n",
                 "function", "size from", "element", "op", "path", "calls", "accel.", "bytes", "native us", "AIRamp us",
                 "ratio", "error", "why");
  for (const Report::Signature& s : report.signatures) {
    fmt::format_to(
        out, "{:<24} {:>9} {:<10} {:<5} {:<14} {:>9} {:>9} {:>10} {:>11} {:>11} {:>7} {:>8}  {}{}\n", s.function,
        base::byte_size(s.size), s.element, s.op, s.path, s.calls, s.accelerated_calls, base::byte_size(s.bytes),
        microseconds(s.native_median_seconds), microseconds(s.airamp_median_seconds), number(s.speedup, "{:.2f}"),
        number(s.relative_error, "{:.1e}"), s.why, s.communicator.empty() ? "" : " [" + s.communicator + "]");
  }
  if (!report.messages.empty()) text += "\nwaited for messages and requests:";
  for (const Report::Messages& row : report.messages) {
    fmt::format_to(out, " {} {}", row.function, base::duration(row.calls.seconds));
  }
  if (!report.call_sites.empty()) text += "\n\ncalls by place in the program:\n";
  for (const Report::CallSite& site : report.call_sites) {
    fmt::format_to(out, "{:>10} in {:>9} calls of {}", base::duration(site.calls.seconds), site.calls.calls,
                   site.function);
    const char* separator = " at ";
    for (const Report::Frame& frame : site.stack) {
      fmt::format_to(out, "{}{}", separator, to_text(frame));
      separator = ", called at ";
    }
    text += site.stack.empty() ? " at other places\n" : "\n";
  }
  fmt::format_to(out, "\ncalls seen:");
  for (const auto& [name, calls] : report.functions) fmt::format_to(out, " {} {}", name, calls);
  text += "\n";
  return text;
}

}  // namespace airamp::telemetry
