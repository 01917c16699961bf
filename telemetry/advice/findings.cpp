// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantity_text.hpp"
#include "core/collective_kind.hpp"

namespace airamp::telemetry {
namespace {

using base::duration;
using base::percent;

/// A part of the run that is worth a line.
constexpr double worth_a_line = 0.02;
/// The same of waits, which no two runs have alike.
constexpr double worth_a_rank = 0.05;

struct RankCalls {
  std::size_t rank = 0;
  Report::Calls calls;
};

/// Every rank's calls of a function, those that took least time first.
std::vector<RankCalls> calls_by_time(const RunFigures& run, const std::string& function) {
  std::vector<RankCalls> all;
  for (std::size_t rank = 0; rank < run.report.rank_costs.size(); ++rank) {
    const auto& functions = run.report.rank_costs[rank].functions;
    const auto found = functions.find(function);
    all.push_back({rank, found == functions.end() ? Report::Calls{} : found->second});
  }
  std::ranges::sort(all, {}, [](const RankCalls& row) { return row.calls.seconds; });
  return all;
}

/// Whoever comes last to a collective in which all wait for all spends least time in it. What the others spend more
/// than that they wait, in sum over all calls, for this rank.
void add_waits_for_rank(const RunFigures& run, std::vector<Finding>& findings) {
  if (run.report.rank_costs.size() < 2) return;
  for (const CollectiveKind kind : every_kind) {
    if (data_flow_of(kind) != DataFlow::all_to_all || is_started(kind)) continue;  // in a start nobody waits
    const std::string function(to_string(kind));
    const std::vector<RankCalls> ranks = calls_by_time(run, function);
    const RankCalls& last = ranks.front();
    const RankCalls& median = ranks[ranks.size() / 2];
    const bool same_calls = last.calls.calls == median.calls.calls;  // else it is not in all communicators
    const double seconds = median.calls.seconds - last.calls.seconds;
    if (!same_calls || !(run.share(seconds) >= worth_a_rank)) continue;
    findings.push_back(
        {.kind = FindingKind::waits_for_rank,
         .share = run.share(seconds),
         .text = fmt::format("{} waits for rank {}, for {} of the run: in {} the median rank spent {} and "
                             "rank {} {}, as whoever comes last does not wait",
                             function, last.rank, percent(run.share(seconds)),
                             base::counted(last.calls.calls, "call", "calls"), duration(median.calls.seconds),
                             last.rank, duration(last.calls.seconds))});
  }
}

void add_late_rank(const RunFigures& run, std::vector<Finding>& findings) {
  const std::vector<Report::Rank>& ranks = run.report.rank_costs;
  if (ranks.size() < 2) return;
  double all = 0;
  for (const Report::Rank& rank : ranks) all += rank.lateness_seconds;
  const auto latest = std::ranges::max_element(ranks, {}, &Report::Rank::lateness_seconds);
  const double late = latest->lateness_seconds;
  if (!(run.share(late) >= worth_a_line) || 2 * late < all) return;
  findings.push_back(
      {.kind = FindingKind::late_rank,
       .share = run.share(late),
       .text = fmt::format("rank {} on host {} came late to its calls, by {} in all, {} of the run; that is {} "
                           "of all ranks' lateness",
                           latest - ranks.begin(), latest->host, duration(late), percent(run.share(late)),
                           percent(late / all))});
}

void add_close_calls(const RunFigures& run, std::vector<Finding>& findings) {
  for (const Report::CloseCalls& close : run.report.close_calls) {
    const double share = run.share(close.seconds);
    if (close.groups == 0 || !(share >= worth_a_line)) continue;
    findings.push_back(
        {.kind = FindingKind::close_calls,
         .share = share,
         .text = fmt::format(
             "{:.1f} small MPI_Allreduces came one right after the other on {}, {} times: as one vector each "
             "time they would save at most {} of the run, if none needs the result of the one before",
             static_cast<double>(close.calls) / static_cast<double>(close.groups), close.communicator, close.groups,
             percent(share))});
  }
}

void add_messages(const RunFigures& run, std::vector<Finding>& findings) {
  const std::vector<Report::Messages>& messages = run.report.messages;
  if (messages.empty() || !(run.message_share >= worth_a_rank)) return;
  const Report::Messages& most =
      *std::ranges::max_element(messages, {}, [](const Report::Messages& row) { return row.calls.seconds; });
  findings.push_back(
      {.kind = FindingKind::messages,
       .share = run.message_share,
       .text = fmt::format("{} of the ranks' time was spent in calls that wait for messages or requests, which "
                           "AIRamp does not touch; on rank 0 most of it in {}: {} in {}",
                           percent(run.message_share), most.function, duration(most.calls.seconds),
                           base::counted(most.calls.calls, "call", "calls"))});
}

using Rule = void (*)(const RunFigures&, std::vector<Finding>&);
constexpr std::array<Rule, 4> rules = {add_waits_for_rank, add_late_rank, add_close_calls, add_messages};

}  // namespace

std::vector<Finding> findings_of(const RunFigures& run) {
  std::vector<Finding> findings;
  if (!(run.report.run_seconds > 0)) return findings;
  for (const Rule rule : rules) rule(run, findings);
  std::ranges::stable_sort(findings, std::ranges::greater(), &Finding::share);
  return findings;
}

}  // namespace airamp::telemetry
