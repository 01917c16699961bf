// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "telemetry/report.hpp"

namespace airamp::telemetry {
namespace {

using Json = nlohmann::ordered_json;

/// A list of what `to_object` makes of each row.
template <class Row, class ToObject>
Json list(const std::vector<Row>& rows, ToObject to_object) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back(to_object(row));
  return all;
}

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
  const auto changes = list(p.changes, [](const Report::PatternChange& change) {
    return Json{{"state", change.state}, {"call", change.call}, {"seconds", change.seconds}};
  });
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
              {"ranks", t.ranks},
              {"size", t.size},
              {"path", t.path},
              {"calls", t.calls},
              {"bytes", t.bytes},
              {"seconds", t.seconds},
              {"p50_seconds", t.p50_seconds},
              {"p99_seconds", t.p99_seconds}};
}

Json rank_json(std::size_t rank, const Report::Rank& r) {
  Json functions = Json::object();
  for (const auto& [name, calls] : r.functions) functions[name] = {{"calls", calls.calls}, {"seconds", calls.seconds}};
  return Json{{"rank", rank},
              {"host", r.host},
              {"collective_seconds", r.collective_seconds},
              {"message_seconds", r.message_seconds},
              {"waiting_seconds", r.waiting_seconds},
              {"lateness_seconds", r.lateness_seconds},
              {"functions", functions}};
}

Json recommendation_json(const Recommendation& r) {
  return Json{{"kind", name_of(r.kind)},
              {"share", r.share},
              {"settings", Json(std::map<std::string, std::string>(r.settings.begin(), r.settings.end()))},
              {"action", r.action},
              {"why", r.why},
              {"effect", r.effect},
              {"cost", r.cost}};
}

Json finding_json(const Finding& f) { return Json{{"kind", name_of(f.kind)}, {"share", f.share}, {"text", f.text}}; }

Json messages_json(const Report::Messages& m) {
  return Json{{"function", m.function}, {"calls", m.calls.calls}, {"seconds", m.calls.seconds}};
}

Json close_calls_json(const Report::CloseCalls& c) {
  return Json{{"communicator", c.communicator}, {"groups", c.groups}, {"calls", c.calls}, {"seconds", c.seconds}};
}

Json frame_json(const Report::Frame& f) {
  return Json{{"object", f.object}, {"offset", f.offset}, {"symbol", f.symbol}};
}

Json call_site_json(const Report::CallSite& c) {
  return Json{{"function", c.function},
              {"calls", c.calls.calls},
              {"bytes", c.bytes},
              {"seconds", c.calls.seconds},
              {"stack", list(c.stack, frame_json)}};
}

Json host_json(const Report::Host& h) {
  return Json{{"name", h.name}, {"ranks", h.ranks}, {"processors", h.processors}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json functions = Json::object();
  for (const auto& [name, calls] : report.functions) functions[name] = calls;
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
      {"verdict", {{"kind", name_of(report.advice.verdict.kind)}, {"text", report.advice.verdict.text}}},
      {"advice", list(report.advice.recommendations, recommendation_json)},
      {"findings", list(report.advice.findings, finding_json)},
      {"settings", report.settings},
      {"functions", functions},
      {"signatures", list(report.signatures, signature_json)},
      {"patterns", list(report.patterns, pattern_json)},
      {"traffic", list(report.traffic, traffic_json)},
      {"messages", list(report.messages, messages_json)},
      {"close_calls", list(report.close_calls, close_calls_json)},
      {"call_sites", list(report.call_sites, call_site_json)},
      {"ranks", ranks},
      {"hosts", list(report.hosts, host_json)},
      {"tuning", {{"calls", report.tuning_calls}, {"seconds", report.tuning_seconds}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace airamp::telemetry
