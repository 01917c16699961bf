// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/report_page/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <nlohmann/json.hpp>

namespace airamp::report_page {
namespace {

using Json = nlohmann::ordered_json;

/// No time or error of a run is larger. What is, counts as not measured, as does what is negative.
constexpr double largest_quantity = 1e15;

/// An object of the document, and where it stands there.
class Object {
 public:
  Object(const Json& json, std::string place) : json_(json), place_(std::move(place)) {
    if (!json.is_object()) throw ReportError(place_ + " is not an object");
  }

  std::string text(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return {};
    if (!value->is_string()) throw wrong(key, "a text");
    return value->get<std::string>();
  }

  std::uint64_t count(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return 0;
    if (!value->is_number_unsigned()) throw wrong(key, "a whole number from 0 to 2^64 - 1");
    return value->get<std::uint64_t>();
  }

  double number(const char* key) const {
    const Json* value = find(key);
    if (value == nullptr) return std::numeric_limits<double>::quiet_NaN();
    if (!value->is_number()) throw wrong(key, "a number");
    const double number = value->get<double>();
    return number >= 0 && number <= largest_quantity ? number : std::numeric_limits<double>::quiet_NaN();
  }

  /// Calls `use` with the object `key`, if there is one.
  template <typename Use>
  void object(const char* key, Use use) const {
    if (const Json* value = find(key)) use(Object(*value, place_of(key)));
  }

  /// Calls `use` with each object in the list `key`, if there is one.
  template <typename Use>
  void list(const char* key, Use use) const {
    const Json* value = find(key);
    if (value == nullptr) return;
    if (!value->is_array()) throw wrong(key, "a list");
    for (std::size_t i = 0; i < value->size(); ++i) use(Object((*value)[i], fmt::format("{}[{}]", place_of(key), i)));
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : json_.items()) keys.push_back(key);
    return keys;
  }

 private:
  const Json* find(const char* key) const {
    const auto found = json_.find(key);
    return found == json_.end() || found->is_null() ? nullptr : &*found;
  }

  std::string place_of(const char* key) const { return place_.empty() ? key : fmt::format("{}.{}", place_, key); }

  ReportError wrong(const char* key, const char* wanted) const {
    return ReportError(fmt::format("{} is not {}", place_of(key), wanted));
  }

  const Json& json_;
  std::string place_;
};

RunReport::Signature signature_of(const Object& row) {
  return {.function = row.text("function"),
          .communicator = row.text("communicator"),
          .size = row.count("size"),
          .element = row.text("element"),
          .op = row.text("op"),
          .path = row.text("path"),
          .state = decision_state_named(row.text("state")),
          .calls = row.count("calls"),
          .accelerated_calls = row.count("accelerated_calls"),
          .piggybacked_calls = row.count("asked_along_calls"),
          .bytes = row.count("bytes"),
          .native_median_seconds = row.number("native_median_seconds"),
          .airamp_median_seconds = row.number("airamp_median_seconds"),
          .speedup = row.number("speedup"),
          .relative_error = row.number("relative_error"),
          .maximum_error = row.number("maximum_error"),
          .reason = reason_named(row.text("reason")),
          .why = row.text("why")};
}

RunReport::Pattern pattern_of(const Object& row) {
  RunReport::Pattern pattern{.communicator = row.text("communicator"),
                             .state = row.text("state"),
                             .period = row.count("period"),
                             .calls = row.count("calls"),
                             .hits = row.count("hits"),
                             .misses = row.count("misses"),
                             .locks = row.count("locks"),
                             .breaks = row.count("breaks")};
  row.list("changes", [&](const Object& change) {
    pattern.changes.push_back(
        {.state = change.text("state"), .call = change.count("call"), .seconds = change.number("seconds")});
  });
  return pattern;
}

RunReport::Traffic traffic_of(const Object& row) {
  return {.function = row.text("function"),
          .communicator = row.text("communicator"),
          .size = row.count("size"),
          .path = row.text("path"),
          .calls = row.count("calls"),
          .bytes = row.count("bytes"),
          .seconds = row.number("seconds"),
          .p50_seconds = row.number("p50_seconds"),
          .p99_seconds = row.number("p99_seconds")};
}

RunReport::CallSite call_site_of(const Object& row) {
  RunReport::CallSite site{.function = row.text("function"),
                           .calls = row.count("calls"),
                           .bytes = row.count("bytes"),
                           .seconds = row.number("seconds"),
                           .stack = {}};
  row.list("stack", [&](const Object& frame) {
    site.stack.push_back(
        {.address = {.object = frame.text("object"), .offset = frame.count("offset"), .symbol = frame.text("symbol")},
         .function = "",
         .line = ""});
  });
  return site;
}

RunReport::Rank rank_of(const Object& row) {
  return {.rank = row.count("rank"),
          .costs = {.host = row.text("host"),
                    .collective_seconds = row.number("collective_seconds"),
                    .message_seconds = row.number("message_seconds"),
                    .waiting_seconds = row.number("waiting_seconds"),
                    .lateness_seconds = row.number("lateness_seconds")}};
}

RunReport::Recommendation recommendation_of(const Object& row) {
  return {.action = row.text("action"), .why = row.text("why"), .effect = row.text("effect"), .cost = row.text("cost")};
}

Json parse(std::string_view text) {
  try {
    return Json::parse(text);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, std::min(text.size(), error.byte == 0 ? 0 : error.byte - 1));
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw ReportError(fmt::format("not valid JSON at line {}, column {}",
                                  std::count(before.begin(), before.end(), '\n') + 1, before.size() - line_start + 1));
  } catch (const Json::exception& error) {
    throw ReportError(fmt::format("not valid JSON: {}", error.what()));
  }
}

}  // namespace

double RunReport::setting_number(const std::string& key) const {
  const auto found = settings.find(key);
  if (found == settings.end()) return std::nan("");
  const std::string& text = found->second;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? number : std::nan("");
}

RunReport read_run_report(std::string_view json) {
  const Json document = parse(json);
  if (!document.is_object() || !document.contains("airamp")) {
    throw ReportError("not a report of AIRamp: it has no object \"airamp\"");
  }
  const Object all(document, "");
  RunReport report;
  all.object("airamp", [&](const Object& airamp) {
    report.version = airamp.text("version");
    report.mpi = airamp.text("mpi");
    report.ranks = airamp.count("ranks");
    report.state = airamp.text("state");
    report.why_off = airamp.text("why_off");
  });
  all.object("run", [&](const Object& run) {
    report.program = run.text("program");
    report.started = run.text("started");
    report.seconds = run.number("seconds");
  });
  all.object("settings", [&](const Object& settings) {
    for (const std::string& key : settings.keys()) report.settings[key] = settings.text(key.c_str());
  });
  all.object("functions", [&](const Object& functions) {
    for (const std::string& key : functions.keys()) report.functions.emplace_back(key, functions.count(key.c_str()));
  });
  all.list("signatures", [&](const Object& row) { report.signatures.push_back(signature_of(row)); });
  all.list("patterns", [&](const Object& row) { report.patterns.push_back(pattern_of(row)); });
  all.list("traffic", [&](const Object& row) { report.traffic.push_back(traffic_of(row)); });
  all.list("call_sites", [&](const Object& row) { report.call_sites.push_back(call_site_of(row)); });
  all.list("messages", [&](const Object& row) {
    report.messages.push_back(
        {.function = row.text("function"), .calls = {.calls = row.count("calls"), .seconds = row.number("seconds")}});
  });
  all.list("ranks", [&](const Object& row) { report.rank_costs.push_back(rank_of(row)); });
  all.object("tuning", [&](const Object& tuning) {
    report.tuning_calls = tuning.count("calls");
    report.tuning_seconds = tuning.number("seconds");
  });
  all.object("verdict", [&](const Object& verdict) { report.verdict = verdict.text("text"); });
  all.list("advice", [&](const Object& row) { report.recommendations.push_back(recommendation_of(row)); });
  all.list("findings", [&](const Object& row) { report.findings.push_back(row.text("text")); });
  std::ranges::sort(report.rank_costs, {}, &RunReport::Rank::rank);
  return report;
}

}  // namespace airamp::report_page
