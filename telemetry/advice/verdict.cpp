// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/advice/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "base/quantity_text.hpp"

namespace airamp::telemetry {
namespace {

using base::duration;
using base::percent;
using Recommendations = std::span<const Recommendation>;
using Rule = std::optional<Verdict> (*)(const RunFigures&, Recommendations);

/// A part of the run that nobody would notice.
constexpr double unnoticed = 0.01;

/// What of the time in native calls a condition holds for, as a part of the run.
template <class Condition>
double share_of(const RunFigures& run, Condition condition) {
  double seconds = 0;
  for (const KindTime& kind : run.kinds) {
    if (condition(*kind.signature)) seconds += kind.native_seconds;
  }
  return run.share(seconds);
}

/// Of rank 0's time in collectives.
bool is_largest_part(const RunFigures& run, double share) { return 2 * share >= run.own_share; }

/// ", all of them under 1 KiB"
std::string all_under(const RunFigures& run) {
  return run.size_limit == 0 ? "" : ", all of them under " + base::byte_size(run.size_limit);
}

/// ", and 31.0 % waiting for messages", if that is known and not little.
std::string and_messages(const RunFigures& run) {
  return run.message_share >= 0.02 ? fmt::format(", and {} waiting for messages", percent(run.message_share)) : "";
}

std::optional<Verdict> off(const RunFigures& run, Recommendations) {
  if (run.report.on) return std::nullopt;
  return Verdict{VerdictKind::off, fmt::format("AIRamp was off{}: the report counts calls and nothing else.",
                                               run.report.why_off.empty() ? "" : " (" + run.report.why_off + ")")};
}

std::optional<Verdict> failed(const RunFigures& run, Recommendations) {
  const auto found = std::ranges::find(run.report.signatures, DecisionState::failed, &Report::Signature::state);
  if (found == run.report.signatures.end()) return std::nullopt;
  return Verdict{VerdictKind::failed,
                 fmt::format("{} over {} failed: its calls returned errors.", found->function, found->path)};
}

std::optional<Verdict> no_collectives(const RunFigures& run, Recommendations) {
  if (run.collective_calls > 0 || run.gain.calls > 0) return std::nullopt;
  return Verdict{VerdictKind::no_collectives,
                 "The program called no collective: AIRamp cannot help here, leave it off."};
}

std::optional<Verdict> saved(const RunFigures& run, Recommendations) {
  if (!(run.net_share >= unnoticed)) return std::nullopt;
  return Verdict{VerdictKind::saved, fmt::format("AIRamp saved an estimated {}, {} of the run.",
                                                 duration(run.gain.net_seconds()), percent(run.net_share))};
}

std::optional<Verdict> crowded(const RunFigures& run, Recommendations) {
  const Report::Host* const host = run.crowded_host();
  if (host == nullptr) return std::nullopt;
  return Verdict{
      VerdictKind::crowded,
      fmt::format("{} ranks shared {} of host {}: they waited for each other to get one, which no path of a "
                  "collective can help.",
                  host->ranks, base::counted(static_cast<std::uint64_t>(host->processors), "processor", "processors"),
                  host->name)};
}

std::optional<Verdict> cost(const RunFigures& run, Recommendations) {
  if (!(run.net_share <= -unnoticed)) return std::nullopt;
  const bool measuring = run.gain.saved_seconds >= 0;
  return Verdict{VerdictKind::cost,
                 fmt::format("AIRamp cost an estimated {}, {} of the run: {}.", duration(-run.gain.net_seconds()),
                             percent(-run.net_share),
                             measuring ? "it measured for longer than this run could repay, which a longer one may"
                                       : "the paths that it chose were slower than the MPI library's, leave it off")};
}

std::optional<Verdict> not_timed(const RunFigures& run, Recommendations) {
  if (!std::isnan(run.collective_share)) return std::nullopt;
  return Verdict{VerdictKind::not_timed,
                 "The times of collectives are not known, as telemetry was off: run it with AIRAMP_TELEMETRY=1."};
}

std::optional<Verdict> little_time(const RunFigures& run, Recommendations) {
  if (!run.little_time()) return std::nullopt;
  return Verdict{VerdictKind::little_time,
                 fmt::format("{} of the time was spent in collectives{}{}: AIRamp cannot help here, leave it off.",
                             percent(run.collective_share), all_under(run), and_messages(run))};
}

std::optional<Verdict> undecided(const RunFigures& run, Recommendations) {
  const double share = share_of(run, [](const Report::Signature& s) {
    return s.state == DecisionState::measuring || s.reason == Reason::measuring;
  });
  if (!is_largest_part(run, share) || share <= unnoticed) return std::nullopt;
  return Verdict{
      VerdictKind::undecided,
      fmt::format("{} of the time was spent in collectives, and the run ended before AIRamp had measured most of "
                  "them: try a longer one.",
                  percent(run.collective_share))};
}

std::optional<Verdict> waiting(const RunFigures& run, Recommendations) {
  if (!run.mostly_waiting()) return std::nullopt;
  return Verdict{
      VerdictKind::waiting,
      fmt::format(
          "{} of the ranks' time was spent in collectives, and most of that waiting for late ranks, as rank {} spent "
          "{} there: to balance the ranks' work gains more than any path of a collective.",
          percent(run.collective_share), run.least_rank, percent(run.least_share))};
}

std::optional<Verdict> setting(const RunFigures&, Recommendations recommendations) {
  const auto promising = [](const Recommendation& advice) { return advice.share >= 0.05 && !advice.settings.empty(); };
  const auto found = std::ranges::find_if(recommendations, promising);
  if (found == recommendations.end()) return std::nullopt;
  return Verdict{VerdictKind::setting, fmt::format("{}: try {}{}.", found->why, found->action,
                                                   found->cost.empty() ? "" : " (see below what that costs)")};
}

std::optional<Verdict> native_as_fast(const RunFigures& run, Recommendations) {
  const double share = share_of(run, [](const Report::Signature& s) { return s.reason == Reason::too_slow; });
  if (!is_largest_part(run, share)) return std::nullopt;
  return Verdict{
      VerdictKind::native_as_fast,
      fmt::format("{} of the time was spent in collectives, and for most of that AIRamp measured that the MPI "
                  "library's own way was as fast: it gains nothing here.",
                  percent(run.collective_share))};
}

std::optional<Verdict> not_carried(const RunFigures& run, Recommendations) {
  std::map<Reason, double> seconds;
  for (const KindTime& kind : run.kinds) seconds[kind.signature->reason] += kind.native_seconds;
  if (seconds.empty()) return std::nullopt;
  const auto most = std::ranges::max_element(seconds, {}, [](const auto& row) { return row.second; });
  if (!is_largest_part(run, run.share(most->second)) || sentence_of(most->first).empty()) return std::nullopt;
  return Verdict{
      VerdictKind::not_carried,
      fmt::format("{} of the time was spent in collectives, and AIRamp left most of that to the MPI library: {}.",
                  percent(run.collective_share), sentence_of(most->first))};
}

std::optional<Verdict> even(const RunFigures& run, Recommendations) {
  const std::string time =
      fmt::format("{} of the time was spent in collectives{}", percent(run.collective_share), and_messages(run));
  if (run.gain.accelerated_calls == 0) {
    return Verdict{VerdictKind::not_carried, time + "; AIRamp carried none of them, for several reasons."};
  }
  return Verdict{
      VerdictKind::even,
      fmt::format("{}; AIRamp carried {} of {} calls, which changed the time of the run by less than {}, as an "
                  "estimate.",
                  time, run.gain.accelerated_calls, run.gain.calls, percent(unnoticed))};
}

/// The first that applies is the verdict; the last one always does.
constexpr std::array<Rule, 14> rules = {off,     failed,         no_collectives, saved,     crowded,
                                        cost,    not_timed,      little_time,    undecided, waiting,
                                        setting, native_as_fast, not_carried,    even};

}  // namespace

Verdict verdict_of(const RunFigures& run, Recommendations recommendations) {
  for (const Rule rule : rules) {
    if (std::optional<Verdict> verdict = rule(run, recommendations)) return std::move(*verdict);
  }
  return {};
}

}  // namespace airamp::telemetry
