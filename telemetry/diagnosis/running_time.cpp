// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/diagnosis/running_time.hpp"

#include <algorithm>

#include "telemetry/diagnosis/last_sign.hpp"

namespace airamp::telemetry {

RunningTime running_time(std::span<const RankSnapshot* const> ranks) {
  using Until = RunningTime::Until;
  const RankSnapshot& first = *ranks.front();
  if (std::ranges::any_of(ranks, [](const RankSnapshot* rank) { return rank->runs() && !rank->finalized; })) {
    return {.until = Until::now, .seconds = std::max(0.0, first.now_seconds - first.started_seconds)};
  }
  const bool over =
      std::ranges::all_of(ranks, [](const RankSnapshot* rank) { return rank->finalized || rank->observable; });
  double last = 0;
  for (const RankSnapshot* rank : ranks) last = std::max(last, last_sign(*rank));
  return {.until = over ? Until::end : Until::last_sign, .seconds = last - first.started_seconds};
}

}  // namespace airamp::telemetry
