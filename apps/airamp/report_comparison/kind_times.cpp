// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_comparison/kind_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "base/quantity_text.hpp"
#include "telemetry/advice/run_figures.hpp"

namespace airamp::report_comparison {
namespace {

constexpr std::size_t max_rows = 15;

/// Calls of one function and size in one of the runs.
struct KindTime {
  std::uint64_t calls = 0;
  double seconds = 0;
  std::set<std::string> paths;
};

using FunctionAndSize = std::pair<std::string, std::uint64_t>;
using Both = std::array<KindTime, 2>;

void add(std::map<FunctionAndSize, Both>& kinds, const RunReport& report, std::size_t run) {
  for (const RunReport::Traffic& row : report.traffic) {
    KindTime& time = kinds[{telemetry::plain_name(row.function), row.size}][run];
    time.calls += row.calls;
    if (row.seconds > 0) time.seconds += row.seconds;
    time.paths.insert(row.path);
  }
}

std::string joined(const std::set<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) text += (text.empty() ? "" : ", ") + path;
  return text.empty() ? "-" : text;
}

}  // namespace

ComparisonTable kind_times(const Runs& runs) {
  ComparisonTable table{
      .heading = "Collectives of rank 0 whose time changed most",
      .columns = {"Function", "Size from", "Calls A", "Calls B", "Time A", "Time B", "B less A", "Paths A", "Paths B"}};
  if (runs.a.traffic.empty() || runs.b.traffic.empty()) return table;
  std::map<FunctionAndSize, Both> kinds;
  add(kinds, runs.a, 0);
  add(kinds, runs.b, 1);
  std::vector<std::pair<FunctionAndSize, Both>> order(kinds.begin(), kinds.end());
  const auto change = [](const auto& row) { return std::abs(row.second[1].seconds - row.second[0].seconds); };
  std::ranges::stable_sort(order, std::ranges::greater(), change);
  order.resize(std::min(order.size(), max_rows));
  for (const auto& [kind, both] : order) {
    const double difference = both[1].seconds - both[0].seconds;
    table.rows.push_back({kind.first, base::byte_size(kind.second), std::to_string(both[0].calls),
                          std::to_string(both[1].calls), base::duration(both[0].seconds),
                          base::duration(both[1].seconds),
                          fmt::format("{}{}", difference < 0 ? '-' : '+', base::duration(std::abs(difference))),
                          joined(both[0].paths), joined(both[1].paths)});
  }
  return table;
}

}  // namespace airamp::report_comparison
