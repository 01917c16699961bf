// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "telemetry/report.hpp"

namespace airamp::telemetry {
namespace {

using Json = nlohmann::ordered_json;

Json signature_json(const Report::Signature& s) {
  // nlohmann::json writes NaN as null, which is what "not measured" should be
  return Json{{"function", s.function},
              {"communicator", s.communicator},
              {"size", s.size},
              {"element", s.element},
              {"op", s.op},
              {"path", s.path},
              {"state", to_string(s.state)},
              {"calls", s.calls},
              {"accelerated_calls", s.accelerated_calls},
              {"asked_along_calls", s.piggybacked_calls},
              {"vetoed_calls", s.vetoed_calls},
              {"bytes", s.bytes},
              {"native_median_seconds", s.native_median_seconds},
              {"airamp_median_seconds", s.airamp_median_seconds},
              {"speedup", s.speedup},
              {"relative_error", s.relative_error},
              {"maximum_error", s.maximum_error},
              {"reason", name_of(s.reason)},
              {"why", s.why}};
}

Json pattern_json(const Report::Pattern& p) {
  Json changes = Json::array();
  for (const Report::PatternChange& change : p.changes) {
    changes.push_back({{"state", change.state}, {"call", change.call}, {"seconds", change.seconds}});
  }
  return Json{{"communicator", p.communicator},
              {"state", p.state},
              {"period", p.period},
              {"calls", p.calls},
              {"hits", p.hits},
              {"misses", p.misses},
              {"locks", p.locks},
              {"breaks", p.breaks},
              {"changes", changes}};
}

Json traffic_json(const Report::Traffic& t) {
  return Json{{"function", t.function},
              {"communicator", t.communicator},
              {"size", t.size},
              {"path", t.path},
              {"calls", t.calls},
              {"bytes", t.bytes},
              {"seconds", t.seconds},
              {"p50_seconds", t.p50_seconds},
              {"p99_seconds", t.p99_seconds}};
}

Json rank_json(std::size_t rank, const Report::Rank& r) {
  return Json{{"rank", rank},
              {"host", r.host},
              {"collective_seconds", r.collective_seconds},
              {"waiting_seconds", r.waiting_seconds},
              {"lateness_seconds", r.lateness_seconds}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json functions = Json::object();
  for (const auto& [name, calls] : report.functions) functions[name] = calls;
  Json signatures = Json::array();
  for (const Report::Signature& signature : report.signatures) signatures.push_back(signature_json(signature));
  Json patterns = Json::array();
  for (const Report::Pattern& pattern : report.patterns) patterns.push_back(pattern_json(pattern));
  Json traffic = Json::array();
  for (const Report::Traffic& row : report.traffic) traffic.push_back(traffic_json(row));
  Json ranks = Json::array();
  for (std::size_t i = 0; i < report.rank_costs.size(); ++i) ranks.push_back(rank_json(i, report.rank_costs[i]));
  const Json document{
      {"airamp",
       {{"version", report.version},
        {"mpi", report.mpi},
        {"ranks", report.ranks},
        {"state", report.on ? "on" : "off"},
        {"why_off", report.why_off}}},
      {"run", {{"seconds", report.run_seconds}, {"started", report.started}, {"program", report.program}}},
      {"settings", report.settings},
      {"functions", functions},
      {"signatures", signatures},
      {"patterns", patterns},
      {"traffic", traffic},
      {"ranks", ranks},
      {"tuning", {{"calls", report.tuning_calls}, {"seconds", report.tuning_seconds}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace airamp::telemetry
