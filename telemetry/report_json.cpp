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
              {"state", s.state},
              {"calls", s.calls},
              {"accelerated_calls", s.accelerated_calls},
              {"bytes", s.bytes},
              {"native_median_seconds", s.native_median_seconds},
              {"airamp_median_seconds", s.airamp_median_seconds},
              {"speedup", s.speedup},
              {"relative_error", s.relative_error},
              {"maximum_error", s.maximum_error},
              {"why", s.why}};
}

}  // namespace

std::string to_json(const Report& report) {
  Json functions = Json::object();
  for (const auto& [name, calls] : report.functions) functions[name] = calls;
  Json signatures = Json::array();
  for (const Report::Signature& signature : report.signatures) signatures.push_back(signature_json(signature));
  const Json document{{"airamp",
                       {{"version", report.version},
                        {"mpi", report.mpi},
                        {"ranks", report.ranks},
                        {"state", report.on ? "on" : "off"},
                        {"why_off", report.why_off}}},
                      {"settings", report.settings},
                      {"functions", functions},
                      {"signatures", signatures},
                      {"tuning", {{"calls", report.tuning_calls}, {"seconds", report.tuning_seconds}}}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace airamp::telemetry
