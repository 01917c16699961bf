// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/rank_figures.hpp"

namespace airamp::command_line {

CallFigures call_figures(const telemetry::RankSnapshot& rank) {
  CallFigures figures;
  for (const telemetry::RankSnapshot::Traffic& traffic : rank.traffic) {
    figures.calls += traffic.calls;
    if (!traffic.path.empty() && traffic.path != "native") figures.accelerated += traffic.calls;
  }
  return figures;
}

std::string pola_summary(const telemetry::RankSnapshot& rank) {
  const telemetry::RankSnapshot::Communicator* busiest = nullptr;
  for (const telemetry::RankSnapshot::Communicator& communicator : rank.communicators) {
    if (communicator.pola_state == "off" || communicator.size == 0) continue;  // 0: what several share
    if (busiest == nullptr || communicator.pola_events > busiest->pola_events) busiest = &communicator;
  }
  if (busiest == nullptr) return {};
  if (busiest->pola_state != "locked") return busiest->pola_state;
  return "locked, " + std::to_string(busiest->pola_period) + (busiest->pola_period == 1 ? " call" : " calls");
}

}  // namespace airamp::command_line
