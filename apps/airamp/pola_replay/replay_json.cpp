// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/pola_replay/replay_json.hpp"

#include <nlohmann/json.hpp>

namespace airamp::pola {
namespace {

using Json = nlohmann::ordered_json;

Json scores(const std::vector<Score>& baselines) {
  Json array = Json::array();
  for (const Score& score : baselines) {
    array.push_back({{"method", score.method}, {"predicted", score.predicted}, {"right", score.right}});
  }
  return array;
}

Json to_object(const CommunicatorReplay& one) {
  const Stream::Counters& counters = one.counters;
  Json changes = Json::array();
  for (const StateChange& change : one.changes) {
    changes.push_back({{"call", change.event},
                       {"seconds", static_cast<double>(change.time_ns) / 1e9},
                       {"state", name_of(change.state)},
                       {"period", change.period}});
  }
  return {{"communicator", one.number}, {"ranks", one.communicator.size},
          {"calls", counters.events},   {"signatures", one.signatures},
          {"hits", counters.hits},      {"misses", counters.misses},
          {"locks", counters.locks},    {"breaks", counters.breaks},
          {"period", one.period},       {"median_lateness_ns", one.median_lateness_ns},
          {"changes", changes},         {"baselines", scores(one.baselines)}};
}

}  // namespace

std::string to_json(const std::vector<TraceReplay>& replays, const ReplayOptions& options) {
  Json array = Json::array();
  for (const TraceReplay& replay : replays) {
    const ReplayTotals sum = totals(replay, options);
    Json communicators = Json::array();
    for (const CommunicatorReplay& one : replay.communicators) communicators.push_back(to_object(one));
    Json object = {{"trace", replay.path},
                   {"program", replay.header.program},
                   {"library", replay.header.library},
                   {"rank", replay.header.rank},
                   {"ranks", replay.header.size},
                   {"calls", sum.events},
                   {"short_calls", sum.short_events},
                   {"hits", sum.hits},
                   {"misses", sum.misses},
                   {"accuracy", nullptr},
                   {"coverage", sum.coverage()},
                   {"baselines", scores(sum.baselines)},
                   {"communicators", communicators}};
    if (const auto accuracy = sum.accuracy()) object["accuracy"] = *accuracy;
    array.push_back(object);
  }
  return array.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace airamp::pola
