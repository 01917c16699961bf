// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/rank_table.hpp"

#include <algorithm>
#include <cmath>

#include "apps/airamp/rank_figures.hpp"
#include "apps/airamp/rank_placement.hpp"
#include "apps/airamp/text_table.hpp"
#include "base/quantity_text.hpp"
#include "telemetry/diagnosis/last_calls.hpp"
#include "telemetry/diagnosis/running_time.hpp"
#include "telemetry/diagnosis/stragglers.hpp"
#include "telemetry/segment/rank_state.hpp"

namespace airamp::command_line {
namespace {

using base::byte_size;
using base::duration;
using telemetry::RankSnapshot;
using telemetry::Stragglers;

/// Of a share from 0 to 1.
std::string percent(double share) {
  return std::isnan(share) ? "-" : std::to_string(std::llround(100.0 * share)) + " %";
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? "-" : percent(static_cast<double>(part) / static_cast<double>(whole));
}

/// "MPI_Allreduce number 17 on 'MPI_COMM_WORLD' (exchange)".
std::string current_call(const RankSnapshot& rank) {
  const RankSnapshot::Flight* flight = oldest_unfinished(rank);
  if (flight == nullptr) return "-";
  return flight->function + " number " + std::to_string(flight->sequence) + " on '" +
         rank.communicators[flight->communicator].name + "' (" + flight->stage + ")";
}

/// Seconds inside, and nothing for a rank that is not known to run: when it went is not known.
double seconds_inside(const RankSnapshot& rank) {
  const RankSnapshot::Flight* flight = oldest_unfinished(rank);
  if (flight == nullptr || !rank.runs()) return std::nan("");
  return std::max(0.0, rank.now_seconds - flight->entered_seconds);
}

std::string running_time(const std::vector<RankSnapshot>& ranks) {
  using Until = telemetry::RunningTime::Until;
  std::vector<const RankSnapshot*> each;
  for (const RankSnapshot& rank : ranks) each.push_back(&rank);
  const auto [until, seconds] = telemetry::running_time(each);
  return (until == Until::now ? "for " : until == Until::end ? "ran " : "last sign after ") + duration(seconds);
}

std::string headline(const std::string& job, const std::vector<RankSnapshot>& ranks) {
  const RankSnapshot& first = ranks.front();
  const bool gathered = std::ranges::any_of(ranks, &RankSnapshot::elsewhere);
  std::string line = "job " + job + ": " + first.program + ", " + std::to_string(ranks.size()) + " of " +
                     std::to_string(first.size) + (first.size == 1 ? " rank" : " ranks") +
                     (gathered ? " on all hosts, " : " on this host, ") + first.mpi.substr(0, first.mpi.find(',')) +
                     ", AIRamp " + first.version;
  line += first.on ? " on" : " off" + (first.why_off.empty() ? "" : " (" + first.why_off + ")");
  if (!first.gpu.empty()) line += ", " + first.gpu;
  return line + ", " + running_time(ranks) + '\n';
}

RankPlacement placement_of(const RankSnapshot& rank) {
  return rank.runs() && !rank.elsewhere ? rank_placement(rank.process) : RankPlacement{};
}

nlohmann::json number_or_null(double value) {
  return std::isfinite(value) ? nlohmann::json(value) : nlohmann::json(nullptr);
}

}  // namespace

std::string rank_table(const std::string& job, const std::vector<RankSnapshot>& ranks) {
  std::vector<std::vector<std::string>> rows = {
      {"RANK", "HOST", "PID", "STATE", "CALLS", "ACCELERATED", "COLLECTIVES", "MESSAGES", "PoLA", "FOR", "INSIDE"}};
  for (const RankSnapshot& rank : ranks) {
    const CallFigures figures = call_figures(rank);
    const TimeShares shares = time_shares(rank);
    const double inside = seconds_inside(rank);
    rows.push_back({std::to_string(rank.rank), rank.host, std::to_string(rank.process),
                    std::string(to_string(rank_state(rank))), std::to_string(figures.calls),
                    percent(figures.accelerated, figures.calls), percent(shares.collectives), percent(shares.messages),
                    pola_summary(rank), std::isnan(inside) ? "" : duration(inside), current_call(rank)});
  }
  return headline(job, ranks) + text_table(rows);
}

std::string straggler_table(const std::vector<RankSnapshot>& ranks, std::size_t most) {
  const Stragglers stragglers = telemetry::find_stragglers(ranks);
  const Stragglers::Rank& worst = stragglers.ranks.front();
  if (worst.cost_seconds <= 0) return "no rank is late: nothing was measured that others waited for\n";
  const RankSnapshot& name = ranks[worst.index];
  std::string text = "rank " + std::to_string(name.rank) + " (host " + name.host + ", pid " +
                     std::to_string(name.process) + ") costs the job most: late by " +
                     duration(worst.lateness_seconds) + " in all; it waited " + duration(worst.waiting_seconds) +
                     " for others, the median rank " + duration(stragglers.median_waiting_seconds) + "\n";
  if (!stragglers.function.empty()) {
    text += "P50, P99 and P99.9: of its " + stragglers.function + " of " + byte_size(stragglers.size) +
            " and more, at most\n";
  }
  std::vector<std::vector<std::string>> rows = {
      {"RANK", "HOST", "PID", "LATE", "WAITED", "P50", "P99", "P99.9", "CPUS", "NUMA", "GPU", "NIC"}};
  for (const Stragglers::Rank& rank : stragglers.ranks) {
    if (rows.size() > most) break;
    const RankSnapshot& s = ranks[rank.index];
    const RankPlacement place = placement_of(s);
    rows.push_back({std::to_string(s.rank), s.host, std::to_string(s.process), duration(rank.lateness_seconds),
                    duration(rank.waiting_seconds), duration(rank.median), duration(rank.p99), duration(rank.p999),
                    place.cpus, place.numa_nodes, place.gpus, place.nics});
  }
  return text + text_table(rows);
}

nlohmann::json rank_json(const std::string& job, const std::vector<RankSnapshot>& ranks) {
  nlohmann::json rows = nlohmann::json::array();
  for (const RankSnapshot& rank : ranks) {
    const CallFigures figures = call_figures(rank);
    const TimeShares shares = time_shares(rank);
    nlohmann::json row = {{"rank", rank.rank},
                          {"host", rank.host},
                          {"pid", rank.process},
                          {"state", to_string(rank_state(rank))},
                          {"calls", figures.calls},
                          {"accelerated_calls", figures.accelerated},
                          {"collective_share", number_or_null(shares.collectives)},
                          {"message_share", number_or_null(shares.messages)},
                          {"pola", pola_summary(rank)},
                          {"inside", nullptr}};
    if (const RankSnapshot::Flight* flight = oldest_unfinished(rank)) {
      row["inside"] = {{"function", flight->function},
                       {"sequence", flight->sequence},
                       {"communicator", rank.communicators[flight->communicator].name},
                       {"stage", flight->stage},
                       {"path", flight->path},
                       {"bytes", flight->bytes},
                       {"seconds", number_or_null(seconds_inside(rank))}};
    }
    rows.push_back(std::move(row));
  }
  const RankSnapshot& first = ranks.front();
  return {{"job", job},
          {"program", first.program},
          {"size", first.size},
          {"mpi", first.mpi},
          {"version", first.version},
          {"on", first.on},
          {"why_off", first.why_off},
          {"ranks", std::move(rows)}};
}

nlohmann::json straggler_json(const std::vector<RankSnapshot>& ranks) {
  const Stragglers stragglers = telemetry::find_stragglers(ranks);
  nlohmann::json rows = nlohmann::json::array();
  for (const Stragglers::Rank& rank : stragglers.ranks) {
    const RankSnapshot& snapshot = ranks[rank.index];
    const RankPlacement place = placement_of(snapshot);
    rows.push_back({{"rank", snapshot.rank},
                    {"host", snapshot.host},
                    {"pid", snapshot.process},
                    {"cost_seconds", rank.cost_seconds},
                    {"lateness_seconds", rank.lateness_seconds},
                    {"waiting_seconds", rank.waiting_seconds},
                    {"p50_seconds", number_or_null(rank.median)},
                    {"p99_seconds", number_or_null(rank.p99)},
                    {"p999_seconds", number_or_null(rank.p999)},
                    {"cpus", place.cpus},
                    {"numa_nodes", place.numa_nodes},
                    {"gpus", place.gpus},
                    {"nics", place.nics}});
  }
  return rows;
}

}  // namespace airamp::command_line
