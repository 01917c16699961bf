// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "apps/airamp/all_hosts/snapshot_json.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace airamp::command_line {
namespace {

using telemetry::RankSnapshot;

// One list of the fields of each struct, for both ways: `field(name, value)` writes or reads.

void fields(RankSnapshot::Communicator& c, auto&& field) {
  field("key", c.key);
  field("name", c.name);
  field("size", c.size);
  field("rank", c.rank);
  field("collectives", c.collectives);
  field("freed", c.freed);
  field("pola_state", c.pola_state);
  field("pola_period", c.pola_period);
  field("pola_events", c.pola_events);
  field("pola_hits", c.pola_hits);
  field("pola_misses", c.pola_misses);
  field("lateness_seconds", c.lateness_seconds);
  field("waiting_seconds", c.waiting_seconds);
}

void fields(RankSnapshot::Traffic& t, auto&& field) {
  field("communicator", t.communicator);
  field("function", t.function);
  field("size", t.size);
  field("path", t.path);
  field("calls", t.calls);
  field("bytes", t.bytes);
  field("wire_bytes", t.wire_bytes);
  field("seconds", t.seconds);
  field("histogram", t.histogram);
}

void fields(RankSnapshot::MessageTime& m, auto&& field) {
  field("function", m.function);
  field("seconds", m.seconds);
}

void fields(RankSnapshot::Flight& f, auto&& field) {
  field("sequence", f.sequence);
  field("communicator", f.communicator);
  field("function", f.function);
  field("bytes", f.bytes);
  field("path", f.path);
  field("stage", f.stage);
  field("entered_seconds", f.entered_seconds);
  field("left_seconds", f.left_seconds);
}

void fields(RankSnapshot& r, auto&& field) {
  field("job", r.job);
  field("host", r.host);
  field("user", r.user);
  field("rank", r.rank);
  field("size", r.size);
  field("process", r.process);
  field("process_start", r.process_start);
  field("alive", r.alive);
  field("finalized", r.finalized);
  field("finalized_seconds", r.finalized_seconds);
  field("version", r.version);
  field("mpi", r.mpi);
  field("architecture", r.architecture);
  field("gpu", r.gpu);
  field("program", r.program);
  field("on", r.on);
  field("why_off", r.why_off);
  field("started_seconds", r.started_seconds);
  field("now_seconds", r.now_seconds);
  field("agreements", r.agreements);
  field("tuning_calls", r.tuning_calls);
  field("tuning_seconds", r.tuning_seconds);
  field("device_scratch_bytes", r.device_scratch_bytes);
  field("ghost_kernel_launches", r.ghost_kernel_launches);
  field("dropped", r.dropped);
  field("communicators", r.communicators);
  field("traffic", r.traffic);
  field("message_times", r.message_times);
  field("times_messages", r.times_messages);
  field("flights", r.flights);
  field("observable", r.observable);
  field("process_state", r.process_state);
  field("resident_bytes", r.resident_bytes);
  field("swapped_bytes", r.swapped_bytes);
  field("frozen", r.frozen);
}

template <class Value>
concept HasFields = requires(Value& value) {
  fields(value, [](const char*, auto&) {});
};

template <class Value>
nlohmann::json written(Value& value) {
  if constexpr (HasFields<Value>) {
    nlohmann::json json = nlohmann::json::object();
    fields(value, [&](const char* name, auto& member) { json[name] = written(member); });
    return json;
  } else if constexpr (requires { requires HasFields<typename Value::value_type>; }) {
    nlohmann::json json = nlohmann::json::array();
    for (auto& element : value) json.push_back(written(element));
    return json;
  } else {
    return value;  // the library writes null for NaN
  }
}

template <class Value>
void read(const nlohmann::json& json, Value& value) {
  if constexpr (HasFields<Value>) {
    fields(value, [&](const char* name, auto& member) { read(json.at(name), member); });
  } else if constexpr (requires { requires HasFields<typename Value::value_type>; }) {
    for (const nlohmann::json& element : json) read(element, value.emplace_back());
  } else if constexpr (std::is_floating_point_v<Value>) {
    value = json.is_null() ? std::nan("") : json.get<Value>();
  } else {
    json.get_to(value);
  }
}

/// Whether everything belongs to a communicator that is there.
bool consistent(const RankSnapshot& rank) {
  const auto known = [&](const auto& entry) { return entry.communicator < rank.communicators.size(); };
  return std::ranges::all_of(rank.traffic, known) && std::ranges::all_of(rank.flights, known);
}

}  // namespace

nlohmann::json snapshot_json(const RankSnapshot& rank) {
  RankSnapshot copy = rank;  // the list of fields is of what may be written to
  return written(copy);
}

std::optional<RankSnapshot> snapshot_of(const nlohmann::json& json) {
  RankSnapshot rank;
  try {
    read(json, rank);
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
  if (!consistent(rank)) return std::nullopt;
  return rank;
}

}  // namespace airamp::command_line
