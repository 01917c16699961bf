// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/rank_figures.hpp"

#include <cmath>

#include "telemetry/diagnosis/running_time.hpp"

namespace airamp::command_line {

CallFigures call_figures(const telemetry::RankSnapshot& rank) {
  CallFigures figures;
  for (const telemetry::RankSnapshot::Traffic& traffic : rank.traffic) {
    figures.calls += traffic.calls;
    if (!traffic.path.empty() && traffic.path != "native") figures.accelerated += traffic.calls;
  }
  return figures;
}

TimeShares time_shares(const telemetry::RankSnapshot& rank) {
  const telemetry::RankSnapshot* const only = &rank;
  const double run = telemetry::running_time({&only, 1}).seconds;
  if (!(run > 0)) return {.collectives = std::nan(""), .messages = std::nan("")};
  TimeShares shares;
  for (const telemetry::RankSnapshot::Traffic& traffic : rank.traffic) shares.collectives += traffic.seconds / run;
  for (const telemetry::RankSnapshot::MessageTime& time : rank.message_times) shares.messages += time.seconds / run;
  if (!rank.times_messages) shares.messages = std::nan("");
  return shares;
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
