// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>

#include "base/quantity_text.hpp"
#include "telemetry/advice/recommendations/rules.hpp"

namespace airamp::telemetry {
namespace {

/// By the paths themselves: what measuring took, a longer run may repay.
bool was_slower(const RunFigures& run) { return run.net_share < -0.01 && run.gain.saved_seconds < 0; }

bool gained_nothing(const RunFigures& run) {
  return was_slower(run) || (run.little_time() && !(run.net_share > 0)) ||
         (run.collective_calls == 0 && run.gain.calls == 0);
}

}  // namespace

std::optional<Recommendation> impose_nothing(const RunFigures& run) {
  const std::string force = run.setting("force");
  if (force.empty() || force == "none" || !run.report.on) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::impose_nothing,
      .share = run.collective_share,
      .why = fmt::format("AIRAMP_FORCE={} imposed a path, whatever is faster; it is for tests", force),
      .effect = "each kind of calls takes the path that measures fastest"};
  advice.set({{"force", "none"}});
  return advice;
}

std::optional<Recommendation> time_collectives(const RunFigures& run) {
  if (run.setting("telemetry") != "false" || !run.report.on) return std::nullopt;
  Recommendation advice{.kind = RecommendationKind::time_collectives,
                        .why = "the times of collectives are not known, as AIRAMP_TELEMETRY=0",
                        .effect = "the report says what the run waited for",
                        .cost = "less than 50 ns a call"};
  advice.set({{"telemetry", "true"}});
  return advice;
}

std::optional<Recommendation> ask_first(const RunFigures& run) {
  std::uint64_t asked = 0;
  std::uint64_t vetoed = 0;
  for (const Report::Signature& s : run.report.signatures) {
    asked += s.piggybacked_calls;
    vetoed += s.vetoed_calls;
  }
  constexpr std::uint64_t few = 20;
  if (vetoed < few || 4 * vetoed < asked + vetoed) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::ask_first,
      .why = fmt::format("of {} calls that PoLA expected, {} came otherwise on some rank and were agreed "
                         "on twice",
                         asked + vetoed, vetoed),
      .effect = "no call is agreed on twice",
      .cost = "expected calls between hosts pay a round trip again"};
  advice.set({{"pola_ask_along", "false"}});
  return advice;
}

std::optional<Recommendation> leave_off(const RunFigures& run) {
  if (!run.report.on || !gained_nothing(run)) return std::nullopt;
  Recommendation advice{
      .kind = RecommendationKind::leave_off,
      .why = was_slower(run) ? fmt::format("AIRamp cost an estimated {} of the run", base::percent(-run.net_share))
                             : "there is next to no time in collectives that AIRamp could save",
      .effect = fmt::format("the time of measuring, {} in this run", base::duration(run.gain.tuning_seconds))};
  advice.set({{"disable", "true"}});
  return advice;
}

}  // namespace airamp::telemetry
