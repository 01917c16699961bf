// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/replay_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>
#include <optional>

#include "apps/airamp/text_table.hpp"

namespace airamp::pola {
namespace {

using command_line::text_table;
using Row = std::vector<std::string>;

std::string percent(std::optional<double> share) { return share ? fmt::format("{:.2f} %", 100 * *share) : "-"; }

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
  if (whole == 0) return std::nullopt;
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::string both(std::optional<double> accuracy, std::optional<double> coverage) {
  return percent(accuracy) + " / " + percent(coverage);
}

std::optional<double> mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::string number_or_dash(std::size_t number) { return number == 0 ? "-" : std::to_string(number); }

std::string first_lock(const CommunicatorReplay& one) {
  return one.changes.empty() ? "-" : std::to_string(one.changes.front().event);
}

Row row_of(const CommunicatorReplay& one) {
  const Stream::Counters& counters = one.counters;
  const std::uint64_t predicted = counters.hits + counters.misses;
  return {std::to_string(one.number),
          std::to_string(one.communicator.size),
          std::to_string(counters.events),
          std::to_string(one.signatures),
          first_lock(one),
          std::to_string(counters.locks),
          std::to_string(counters.breaks),
          number_or_dash(one.period),
          percent(share(counters.hits, predicted)),
          percent(share(predicted, counters.events)),
          counters.hits == 0 ? "-" : fmt::format("{:.1f} us", static_cast<double>(one.median_lateness_ns) / 1e3)};
}

std::string lock_points(const CommunicatorReplay& one) {
  constexpr std::size_t most = 8;
  std::string text = fmt::format("communicator {}:", one.number);
  for (std::size_t i = 0; i < std::min(most, one.changes.size()); ++i) {
    const StateChange& change = one.changes[i];
    text += fmt::format("{} {} after call {} ({:.3f} s", i == 0 ? "" : ",", name_of(change.state), change.event,
                        static_cast<double>(change.time_ns) / 1e9);
    if (change.period != 0) text += fmt::format(", period {}", change.period);
    text += ')';
  }
  if (one.changes.size() > most) text += fmt::format(", and {} more", one.changes.size() - most);
  return text + '\n';
}

std::string compare_methods(const ReplayTotals& sum) {
  std::vector<Row> rows = {{"METHOD", "ACCURACY", "COVERAGE", "RIGHT OF ALL"}};
  rows.push_back({"PoLA", percent(sum.accuracy()), percent(sum.coverage()), percent(share(sum.hits, sum.events))});
  for (const Score& score : sum.baselines) {
    rows.push_back({std::string(score.method), percent(share(score.right, score.predicted)),
                    percent(share(score.predicted, sum.events)), percent(share(score.right, sum.events))});
  }
  return text_table(rows);
}

}  // namespace

std::string describe(const TraceReplay& replay, const ReplayOptions& options) {
  constexpr std::size_t most = 20;
  const ReplayTotals sum = totals(replay, options);
  std::string text =
      fmt::format("{}: {}, rank {} of {}, {}; {} calls on {} communicators in {:.3f} s\n\n", replay.path,
                  replay.header.program, replay.header.rank, replay.header.size, replay.header.library, sum.events,
                  replay.communicators.size(), static_cast<double>(replay.duration_ns) / 1e9);

  std::vector<const CommunicatorReplay*> busiest;
  for (const CommunicatorReplay& one : replay.communicators) busiest.push_back(&one);
  std::stable_sort(busiest.begin(), busiest.end(),
                   [](const auto* a, const auto* b) { return a->counters.events > b->counters.events; });
  if (busiest.size() > most) busiest.resize(most);

  std::vector<Row> rows = {{"COMMUNICATOR", "RANKS", "CALLS", "SIGNATURES", "FIRST LOCK", "LOCKS", "BREAKS", "PERIOD",
                            "ACCURACY", "COVERAGE", "OFF FORECAST"}};
  std::transform(busiest.begin(), busiest.end(), std::back_inserter(rows),
                 [](const auto* one) { return row_of(*one); });
  rows.push_back({"all", "", std::to_string(sum.events), "", "", std::to_string(sum.locks), std::to_string(sum.breaks),
                  "", percent(sum.accuracy()), percent(sum.coverage()), ""});
  text += text_table(rows) + '\n';
  if (replay.communicators.size() > most) {
    text += fmt::format("{} communicators with fewer calls are not shown.\n", replay.communicators.size() - most);
  }
  if (sum.short_events > 0) {
    text += fmt::format("{} calls were on communicators with fewer than {} calls, which never lock.\n",
                        sum.short_events, options.rules.lock_events);
  }
  for (const CommunicatorReplay* one : busiest) {
    if (!one->changes.empty()) text += lock_points(*one);
  }
  if (options.baselines) text += '\n' + compare_methods(sum);
  return text;
}

std::string summarise(const std::vector<TraceReplay>& replays, const ReplayOptions& options) {
  Row header = {"TRACE", "RANKS", "CALLS", "SHORT", "LOCKS", "BREAKS", "ACCURACY", "COVERAGE"};
  std::vector<Row> rows;
  std::vector<double> own_accuracies, own_coverages;
  std::vector<std::vector<double>> accuracies, coverages;  // of the other methods
  for (const TraceReplay& replay : replays) {
    const ReplayTotals sum = totals(replay, options);
    Row row = {std::filesystem::path(replay.path).filename().string(),
               std::to_string(replay.header.size),
               std::to_string(sum.events),
               std::to_string(sum.short_events),
               std::to_string(sum.locks),
               std::to_string(sum.breaks),
               percent(sum.accuracy()),
               percent(sum.coverage())};
    if (const auto accuracy = sum.accuracy()) own_accuracies.push_back(*accuracy);
    own_coverages.push_back(sum.coverage());
    accuracies.resize(sum.baselines.size());
    coverages.resize(sum.baselines.size());
    for (std::size_t i = 0; i < sum.baselines.size(); ++i) {
      const Score& score = sum.baselines[i];
      const auto accuracy = share(score.right, score.predicted);
      if (accuracy) accuracies[i].push_back(*accuracy);
      coverages[i].push_back(share(score.predicted, sum.events).value_or(0.0));
      row.push_back(both(accuracy, coverages[i].back()));
      if (rows.empty()) header.push_back(std::string(score.method));
    }
    rows.push_back(row);
  }
  Row average = {"average", "", "", "", "", "", percent(mean(own_accuracies)), percent(mean(own_coverages))};
  for (std::size_t i = 0; i < accuracies.size(); ++i) average.push_back(both(mean(accuracies[i]), mean(coverages[i])));
  rows.insert(rows.begin(), header);
  rows.push_back(average);
  std::string text = text_table(rows);
  text += fmt::format("\nSHORT: calls on communicators with fewer than {} calls, which never lock.\n",
                      options.rules.lock_events);
  if (options.baselines) text += "Of the other methods: accuracy where they predict / coverage.\n";
  return text;
}

}  // namespace airamp::pola
