// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "apps/airamp/report_comparison/comparison.hpp"
#include "apps/airamp/report_comparison/differing_paths.hpp"
#include "apps/airamp/report_comparison/kind_times.hpp"
#include "apps/airamp/report_page/path_time.hpp"
#include "base/quantity_text.hpp"
#include "telemetry/advice/gain.hpp"

namespace airamp::report_comparison {
namespace {

using base::duration;

std::string program_of(const RunReport& report) { return std::filesystem::path(report.program).filename().string(); }

std::string state_of(const RunReport& report) {
  return report.state + (report.why_off.empty() ? "" : " (" + report.why_off + ")");
}

double collectives_of(const RunReport& report) {
  return report.traffic.empty() ? std::nan("") : report_page::collective_seconds(report);
}

double messages_of(const RunReport& report) {
  return report.messages.empty() ? std::nan("") : report_page::message_seconds(report);
}

/// What is in neither, or not known to be.
double rest_of(const RunReport& report) {
  return report.seconds - collectives_of(report) - report_page::message_seconds(report);
}

/// Mean over the ranks.
double waiting_of(const RunReport& report) {
  if (report.rank_costs.empty()) return std::nan("");
  double sum = 0;
  for (const RunReport::Rank& rank : report.rank_costs) sum += std::fmax(rank.costs.waiting_seconds, 0);
  return sum / static_cast<double>(report.rank_costs.size());
}

telemetry::Gain gain_of(const RunReport& report) {
  return telemetry::gain_of(report.signatures, report.traffic, report.tuning_seconds);
}

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.2g}", value); }

ComparisonTable run_table(const Runs& runs) {
  ComparisonTable table{.heading = "The runs", .columns = {"", "A", "B", "Change"}};
  const auto text = [&](const char* name, const std::string& a, const std::string& b) {
    table.rows.push_back({name, a, b, ""});
  };
  const auto time = [&](const char* name, double a, double b) {
    table.rows.push_back({name, duration(a), duration(b), change_text(a, b)});
  };
  const telemetry::Gain gain_a = gain_of(runs.a);
  const telemetry::Gain gain_b = gain_of(runs.b);
  text("program", program_of(runs.a), program_of(runs.b));
  text("started", runs.a.started, runs.b.started);
  text("ranks", std::to_string(runs.a.ranks), std::to_string(runs.b.ranks));
  text("AIRamp", state_of(runs.a), state_of(runs.b));
  time("time of the run", runs.a.seconds, runs.b.seconds);
  time("in collectives, rank 0", collectives_of(runs.a), collectives_of(runs.b));
  time("waiting for messages, rank 0", messages_of(runs.a), messages_of(runs.b));
  time("outside of both, rank 0", rest_of(runs.a), rest_of(runs.b));
  time("waiting in agreements, mean of the ranks", waiting_of(runs.a), waiting_of(runs.b));
  time("measuring", runs.a.tuning_seconds, runs.b.tuning_seconds);
  text("collective calls", std::to_string(gain_a.calls), std::to_string(gain_b.calls));
  text("of these carried by AIRamp", std::to_string(gain_a.accelerated_calls),
       std::to_string(gain_b.accelerated_calls));
  text("largest relative error in use", number(gain_a.largest_error), number(gain_b.largest_error));
  return table;
}

/// Keys of either map with different values.
template <class Map, class ToText>
ComparisonTable differences(const char* heading, const char* what, const Map& a, const Map& b, ToText to_text) {
  ComparisonTable table{.heading = heading, .columns = {what, "A", "B"}};
  std::set<std::string> keys;
  for (const auto& row : a) keys.insert(row.first);
  for (const auto& row : b) keys.insert(row.first);
  for (const std::string& key : keys) {
    const auto in_a = a.find(key);
    const auto in_b = b.find(key);
    const std::string text_a = in_a == a.end() ? "-" : to_text(in_a->second);
    const std::string text_b = in_b == b.end() ? "-" : to_text(in_b->second);
    if (text_a != text_b) table.rows.push_back({key, text_a, text_b});
  }
  return table;
}

ComparisonTable setting_table(const Runs& runs) {
  std::map<std::string, std::string> a = runs.a.settings;
  std::map<std::string, std::string> b = runs.b.settings;
  a.erase("report");  // each has its own
  b.erase("report");
  return differences("Settings that differ", "Setting", a, b, [](const std::string& value) { return value; });
}

ComparisonTable function_table(const Runs& runs) {
  const std::map<std::string, std::uint64_t> a(runs.a.functions.begin(), runs.a.functions.end());
  const std::map<std::string, std::uint64_t> b(runs.b.functions.begin(), runs.b.functions.end());
  return differences("Functions that rank 0 did not call equally often", "Function", a, b,
                     [](std::uint64_t calls) { return std::to_string(calls); });
}

std::string verdict_on(const Runs& runs) {
  const double a = runs.a.seconds;
  const double b = runs.b.seconds;
  if (std::isnan(a) || std::isnan(b)) return "How long the runs took is not known.";
  const double difference = b - a;
  if (std::abs(difference) < 0.0005 * a) return fmt::format("B took {}, as long as A.", duration(b));
  return fmt::format("B took {}, {} {} than A ({}).", duration(b), duration(std::abs(difference)),
                     difference < 0 ? "less" : "more", change_text(a, b));
}

std::vector<std::string> caveats_of(const Runs& runs, const ComparisonTable& functions) {
  std::vector<std::string> caveats;
  const auto differ = [&](const char* what, const std::string& a, const std::string& b) {
    if (a != b) caveats.push_back(fmt::format("The {} differ: {} and {}.", what, a, b));
  };
  differ("programs", program_of(runs.a), program_of(runs.b));
  differ("numbers of ranks", std::to_string(runs.a.ranks), std::to_string(runs.b.ranks));
  differ("MPI libraries", runs.a.mpi, runs.b.mpi);
  if (!functions.rows.empty()) {
    caveats.emplace_back(
        "The runs did not make the same calls of MPI (see below): not all that changed is AIRamp's doing.");
  }
  for (const auto& [name, report] : {std::pair("A", &runs.a), std::pair("B", &runs.b)}) {
    if (!report->traffic.empty()) continue;
    caveats.push_back(fmt::format("{} has no times of collectives: {}.", name,
                                  report->state == "on"
                                      ? "telemetry was off, or it called none"
                                      : "AIRamp was off; AIRAMP_FORCE=native times the MPI library's own"));
  }
  caveats.emplace_back("This is one run of each: a change that repeated runs of one kind show as well says nothing.");
  return caveats;
}

}  // namespace

std::string change_text(double before, double after) {
  const double change = (after - before) / before;
  if (!std::isfinite(change) || before <= 0) return "-";
  if (std::abs(change) < 0.0005) return "as before";
  return fmt::format("{:+.1f} %", 100 * change);
}

Comparison compare(const Runs& runs) {
  const ComparisonTable functions = function_table(runs);
  Comparison comparison{.verdict = verdict_on(runs), .caveats = caveats_of(runs, functions)};
  comparison.tables = {run_table(runs), kind_times(runs), differing_paths(runs), setting_table(runs), functions};
  std::erase_if(comparison.tables, [](const ComparisonTable& table) { return table.rows.empty(); });
  return comparison;
}

}  // namespace airamp::report_comparison
