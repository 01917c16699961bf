// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/summary.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "apps/airamp/report_page/escape.hpp"
#include "apps/airamp/report_page/path_time.hpp"
#include "apps/airamp/report_page/quantities.hpp"
#include "apps/airamp/report_page/tables/untouched.hpp"
#include "apps/html/html.hpp"
#include "telemetry/advice/gain.hpp"

namespace airamp::report_page {
namespace {

using telemetry::Gain;

std::string seconds(double value) { return unbroken(duration(value)); }

std::string run_sentence(const RunReport& report) {
  std::string text =
      report.program.empty()
          ? "The program"
          : fmt::format("<strong>{}</strong>", escape(std::filesystem::path(report.program).filename().string()));
  text += " ran";
  if (!std::isnan(report.seconds)) text += " for " + seconds(report.seconds);
  text += fmt::format(" on {}.", unbroken(counted(report.ranks, "rank", "ranks")));
  if (report.traffic.empty()) return text;
  const double collectives = collective_seconds(report);
  text += fmt::format(" Rank 0 spent {} of that in MPI collectives", seconds(collectives));
  if (report.seconds > 0) text += ", " + unbroken(percent(share(collectives, report.seconds)));
  if (const double messages = message_seconds(report); messages > 0) {
    text += fmt::format(", and {} waiting for messages and requests", seconds(messages));
    if (report.seconds > 0) text += ", " + unbroken(percent(share(messages, report.seconds)));
  }
  return text + ".";
}

std::string paths_used(const RunReport& report) {
  std::set<std::string> paths;
  for (const RunReport::Signature& signature : report.signatures) {
    if (signature.accelerated_calls > 0) paths.insert(signature.path);
  }
  for (const RunReport::Traffic& row : report.traffic) paths.insert(row.path);
  paths.erase("native");
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + escape(path);
  return text;
}

std::string carried_sentence(const RunReport& report, const Gain& gain) {
  if (report.state != "on") {
    return fmt::format(" <strong>AIRamp was off</strong>{}{}: all calls went to the MPI library as they were.",
                       report.why_off.empty() ? "" : ", because of this: ", escape(report.why_off));
  }
  if (gain.calls == 0) return " The program called no collective that AIRamp looks at.";
  if (gain.accelerated_calls == 0) {
    return fmt::format(" AIRamp looked at {} and carried <strong>none</strong> of them: all went to the MPI library.",
                       unbroken(counted(gain.calls, "collective call", "collective calls")));
  }
  const std::string paths = paths_used(report);
  const std::string bytes =
      std::isnan(gain.accelerated_bytes) ? "" : ", with " + unbroken(percent(gain.accelerated_bytes)) + " of the bytes";
  return fmt::format(
      " AIRamp carried <strong>{} of {}</strong> collective calls itself ({}{}){}.", html_count(gain.accelerated_calls),
      html_count(gain.calls),
      unbroken(percent(share(static_cast<double>(gain.accelerated_calls), static_cast<double>(gain.calls)))), bytes,
      paths.empty() ? "" : ", over " + paths);
}

std::string saving_sentence(const RunReport& report, const Gain& gain) {
  if (gain.estimated_calls == 0) return {};
  std::string text = fmt::format(
      "This {} an estimated <strong>{}</strong>: for each kind of call, the number of accelerated calls times the "
      "difference of the median times of the native and of AIRamp's way.",
      gain.saved_seconds < 0 ? "cost" : "saved", seconds(std::abs(gain.saved_seconds)));
  if (gain.tuning_seconds > 0) {
    text += fmt::format(" Finding out which way is faster took {} in {}. What remains is <strong>{} {}</strong>",
                        seconds(gain.tuning_seconds), unbroken(counted(report.tuning_calls, "call", "calls")),
                        seconds(std::abs(gain.net_seconds())), gain.net_seconds() < 0 ? "lost" : "gained");
    if (report.seconds > 0) {
      text += fmt::format(", {} of the run", unbroken(percent(share(std::abs(gain.net_seconds()), report.seconds))));
    }
    text += ".";
  }
  if (gain.estimated_calls < gain.accelerated_calls) {
    text += fmt::format(
        " {} not in this estimate, for want of a measurement of both ways.",
        counted(gain.accelerated_calls - gain.estimated_calls, "accelerated call is", "accelerated calls are"));
  }
  return text;
}

std::string error_sentence(const RunReport& report, const Gain& gain) {
  if (std::isnan(gain.largest_error)) return {};
  if (gain.largest_error == 0) return " Their measured results were equal to the native ones.";
  const double bound = report.setting_number("max_relative_error");
  return fmt::format(" Their results differed from the native ones by a relative error of at most {}{}.",
                     error_text(gain.largest_error),
                     std::isnan(bound) ? "" : ", with " + error_text(bound) + " allowed");
}

std::string tile(const std::string& value, std::string_view label) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", label, value);
}

std::string tiles(const RunReport& report, const Gain& gain) {
  const bool timed = !report.traffic.empty();
  std::string text = "<dl class=\"tiles\">\n";
  text += tile(duration(report.seconds), "time of the run");
  text += tile(timed ? duration(collective_seconds(report)) : "–", "of that in collectives");
  if (timed) {
    text += tile(percent(gain.accelerated_bytes), "of bytes in collectives accelerated");
  } else {
    text += tile(gain.calls == 0
                     ? "–"
                     : percent(share(static_cast<double>(gain.accelerated_calls), static_cast<double>(gain.calls))),
                 "of collective calls accelerated");
  }
  const std::string sign = gain.net_seconds() < 0 ? "−" : "";
  text +=
      tile(gain.estimated_calls == 0 ? "–" : sign + duration(std::abs(gain.net_seconds())), "gained, as an estimate");
  text += tile(speedup_text(gain.best_speedup), "best speed-up in use");
  text += tile(error_text(gain.largest_error), "largest relative error in use");
  return text + "</dl>\n";
}

}  // namespace

std::string summary(const RunReport& report) {
  const Gain gain = telemetry::gain_of(report.signatures, report.traffic, report.tuning_seconds);
  std::string text = "<section class=\"summary\">\n<h2>In short</h2>\n<p>" + run_sentence(report) +
                     carried_sentence(report, gain) + error_sentence(report, gain) + "</p>\n";
  if (const std::string saving = saving_sentence(report, gain); !saving.empty()) text += "<p>" + saving + "</p>\n";
  text += tiles(report, gain);
  if (const std::string reasons = untouched(report); !reasons.empty() && report.state == "on") {
    text += "<p>What took the MPI library's own way, and why:</p>\n" + reasons;
  }
  return text + "</section>\n";
}

}  // namespace airamp::report_page
