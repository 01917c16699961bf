// Copyright the AIRamp authors. SPDX-License-Identifier: Apache-2.0
#include "telemetry/segment/segment_decoder.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <stdexcept>

#include "base/safe_text.hpp"
#include "core/size_bucket.hpp"
#include "telemetry/segment/segment_owner.hpp"

namespace airamp::telemetry {
namespace {

/// What is wrong with a segment; does not leave this file.
struct Corrupted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <std::size_t Bytes>
std::string text(const TextField<Bytes>& field) {
  const auto bytes = field.load();
  return base::safe_text({bytes.data(), bytes.size()});
}

double seconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) * 1e-9; }

ClockReading reading(const layout::ClockSample& sample) {
  return {.ticks = sample.ticks, .monotonic_ns = sample.monotonic_ns, .realtime_ns = sample.realtime_ns};
}

/// Turns the writer's ticks into seconds since the Unix epoch.
class TickConversion {
 public:
  TickConversion(const layout::Header& header, const Observer& observer) {
    const ClockReading opened = reading(header.opened);
    const bool same_clock = header.boot.equals(observer.space.boot) && header.clock == observer.clock;
    const bool latest_is_whole = (header.latest_version.load() & 1U) == 0;
    base_ = same_clock ? observer.now : latest_is_whole ? reading(header.latest) : opened;
    rate_ = nanoseconds_per_tick(opened, base_);
    if (header.clock == layout::ClockKind::monotonic) rate_ = 1;
    // A megahertz to a terahertz.
    if (!(rate_ >= 1e-3 && rate_ <= 1e3)) throw Corrupted("has clock samples that cannot be right");
  }

  double operator()(std::uint64_t ticks) const {
    const double since =
        ticks >= base_.ticks ? static_cast<double>(ticks - base_.ticks) : -static_cast<double>(base_.ticks - ticks);
    return seconds(base_.realtime_ns) + since * rate_ * 1e-9;
  }

 private:
  ClockReading base_;
  double rate_ = 0;
};

class Decoder {
 public:
  Decoder(const layout::Segment& segment, const Observer& observer)
      : segment_(segment), header_(segment.header), observer_(observer), seconds_at_(segment.header, observer) {}

  RankSnapshot run() {
    identity();
    for (std::size_t i = 0; i < header_.functions; ++i) functions_.push_back(text(segment_.function_names[i]));
    for (std::size_t i = 0; i < header_.paths; ++i) paths_.push_back(text(segment_.path_names[i]));
    for (std::size_t i = 0; i < header_.communicators; ++i) communicator(i);
    communicator(layout::other_communicators);
    traffic();
    message_times();
    decisions();
    flights();
    return std::move(snapshot_);
  }

 private:
  void identity() {
    const SegmentOwner owner = owner_of(header_, observer_.space);
    RankSnapshot& s = snapshot_;
    s.job = text(header_.job);
    s.host = text(header_.host);
    s.user = text(header_.user);
    s.rank = header_.rank;
    s.size = header_.size;
    s.process = header_.process;
    s.process_start = header_.process_start;
    s.observable = owner.observable;
    s.alive = owner.alive;
    s.process_state = owner.state;
    s.finalized = header_.finalized != 0;
    if (s.finalized) s.finalized_seconds = seconds(header_.finalized_ns);
    s.version = text(header_.version_of_airamp);
    s.mpi = text(header_.mpi);
    s.architecture = text(header_.architecture);
    s.program = text(header_.program);
    s.on = header_.on != 0;
    if ((header_.state_version & 1U) == 0) {
      s.gpu = text(header_.gpu);
      s.why_off = text(header_.why_off);
    }
    s.started_seconds = seconds(header_.opened.realtime_ns);
    s.now_seconds = seconds(observer_.now.realtime_ns);
    s.agreements = counter(layout::Counter::agreements);
    s.tuning_calls = counter(layout::Counter::tuning_calls);
    s.tuning_seconds = seconds(counter(layout::Counter::tuning_nanoseconds));
    s.device_scratch_bytes = counter(layout::Counter::device_scratch_bytes);
    s.ghost_kernel_launches = counter(layout::Counter::ghost_kernel_launches);
    s.dropped = counter(layout::Counter::dropped);
  }

  std::uint64_t counter(layout::Counter which) const { return header_.counters[static_cast<std::size_t>(which)]; }

  void communicator(std::size_t index) {
    const layout::CommunicatorRow& row = segment_.communicator_rows[index];
    const layout::CommunicatorUse use = row.use;
    const bool shared = index == layout::other_communicators;
    if (use > layout::CommunicatorUse::changing) throw Corrupted(numbered("communicator", index, "is in no known use"));
    if ((row.version & 1U) != 0 || use == layout::CommunicatorUse::changing) return;
    if (shared ? !shared_entry_is_used() : use == layout::CommunicatorUse::vacant) return;
    const auto size = static_cast<std::int32_t>(row.size.load());
    const auto rank = static_cast<std::int32_t>(row.rank.load());
    if (!shared && (size < 1 || rank < 0 || rank >= size)) {
      throw Corrupted(numbered("communicator", index, "has an impossible rank or size"));
    }
    const auto pola = static_cast<std::size_t>(row.pola_state.load());
    if (pola >= layout::pola_state_names.size()) {
      throw Corrupted(numbered("communicator", index, "has an unknown PoLA state"));
    }
    positions_[index] = snapshot_.communicators.size();
    snapshot_.communicators.push_back({.key = row.key,
                                       .name = text(row.name),
                                       .size = size,
                                       .rank = rank,
                                       .collectives = row.collectives,
                                       .freed = use == layout::CommunicatorUse::freed,
                                       .pola_state = std::string(layout::pola_state_names[pola]),
                                       .pola_period = row.pola_period,
                                       .pola_events = row.pola_events,
                                       .pola_hits = row.pola_hits,
                                       .pola_misses = row.pola_misses,
                                       .lateness_seconds = seconds(row.lateness_ns),
                                       .waiting_seconds = seconds(row.waiting_ns)});
  }

  /// Communicators with an entry of their own use the shared one's rows once there is no other room.
  bool shared_entry_is_used() const {
    if (segment_.communicator_rows[layout::other_communicators].collectives != 0) return true;
    const auto* const rows = segment_.traffic_rows.data();
    return std::any_of(rows, rows + header_.traffic, [](const layout::TrafficRow& row) {
      return layout::Key::unpack(row.key).communicator == layout::other_communicators;
    });
  }

  void traffic() {
    // Two threads may have made two rows for one key.
    std::map<std::uint64_t, std::size_t> rows;
    for (std::size_t i = 0; i < header_.traffic; ++i) {
      const layout::TrafficRow& row = segment_.traffic_rows[i];
      const std::uint64_t packed = row.key;
      if (packed == 0) continue;
      const layout::Key key = checked("row of traffic", i, packed);
      const auto position = positions_.find(key.communicator);
      if (position == positions_.end()) continue;
      const auto [found, added] = rows.try_emplace(packed, snapshot_.traffic.size());
      if (added) {
        snapshot_.traffic.push_back({.communicator = position->second,
                                     .function = functions_[key.function],
                                     .size = bucket_lower_bound(key.size_bucket),
                                     .path = path_name(key.path)});
      }
      RankSnapshot::Traffic& traffic = snapshot_.traffic[found->second];
      traffic.bytes += row.bytes;
      traffic.wire_bytes += row.wire_bytes;
      traffic.seconds += seconds(row.nanoseconds);
      for (std::size_t bucket = 0; bucket < latency_buckets; ++bucket) {
        traffic.histogram[bucket] += row.histogram[bucket];
        traffic.calls += row.histogram[bucket];
      }
    }
  }

  void message_times() {
    snapshot_.times_messages = header_.clock != layout::ClockKind::monotonic;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      const std::uint64_t nanoseconds = segment_.message_ns[i];
      if (nanoseconds == 0) continue;
      snapshot_.message_times.push_back({.function = functions_[i], .seconds = seconds(nanoseconds)});
    }
  }

  void decisions() {
    for (std::size_t i = 0; i < header_.decisions; ++i) {
      const layout::DecisionRow& row = segment_.decision_rows[i];
      if (row.key == 0 || (row.version & 1U) != 0) continue;
      const layout::Key key = checked("decision", i, row.key);
      const std::uint64_t path = row.path;
      if (path >= paths_.size()) throw Corrupted(numbered("decision", i, "names an unknown path"));
      const std::optional<DecisionState> state = decision_state_of(row.state);
      if (!state) throw Corrupted(numbered("decision", i, "is in an unknown state"));
      const std::optional<Reason> reason = reason_of(row.reason);
      if (!reason) throw Corrupted(numbered("decision", i, "has an unknown reason"));
      const auto position = positions_.find(key.communicator);
      if (position == positions_.end()) continue;
      snapshot_.decisions.push_back({.communicator = position->second,
                                     .function = functions_[key.function],
                                     .size = bucket_lower_bound(key.size_bucket),
                                     .element = text(row.element),
                                     .op = text(row.op),
                                     .path = paths_[path],
                                     .state = *state,
                                     .reason = *reason,
                                     .why = text(row.why),
                                     .speedup = std::bit_cast<double>(row.speedup.load()),
                                     .relative_error = std::bit_cast<double>(row.relative_error.load()),
                                     .native_seconds = std::bit_cast<double>(row.native_seconds.load()),
                                     .airamp_seconds = std::bit_cast<double>(row.airamp_seconds.load())});
    }
  }

  void flights() {
    std::vector<const layout::FlightRow*> rows;
    for (const layout::FlightRow& row : segment_.flight_rows) {
      if (row.version != 0 && (row.version & 1U) == 0) rows.push_back(&row);
    }
    std::sort(rows.begin(), rows.end(), [](const layout::FlightRow* a, const layout::FlightRow* b) {
      return a->version.load() < b->version.load();
    });
    for (const layout::FlightRow* row : rows) flight(*row);
  }

  void flight(const layout::FlightRow& row) {
    const layout::What what = layout::What::unpack(row.what);
    const auto index = static_cast<std::size_t>(&row - segment_.flight_rows.data());
    if (what.communicator >= layout::communicators || what.function >= functions_.size() ||
        (what.path != layout::no_path && what.path >= paths_.size()) || what.stage > layout::Stage::done) {
      throw Corrupted(numbered("flight", index, "names something unknown"));
    }
    const auto position = positions_.find(what.communicator);
    if (position == positions_.end()) return;
    const std::uint64_t left = row.left;
    const layout::Stage stage = left != 0 ? layout::Stage::done : what.stage;
    snapshot_.flights.push_back(
        {.sequence = row.sequence,
         .communicator = position->second,
         .function = functions_[what.function],
         .bytes = row.bytes,
         .path = path_name(what.path),
         .stage = std::string(layout::stage_names[static_cast<std::size_t>(stage)]),
         .entered_seconds = seconds_at_(row.entered),
         .left_seconds = left == 0 ? 0.0 : seconds_at_(std::max<std::uint64_t>(left, row.entered))});
  }

  layout::Key checked(const char* what, std::size_t index, std::uint64_t packed) const {
    const layout::Key key = layout::Key::unpack(packed);
    if (!key.valid || key.communicator >= layout::communicators || key.function >= functions_.size() ||
        key.size_bucket >= size_buckets || (key.path != layout::no_path && key.path >= paths_.size())) {
      throw Corrupted(numbered(what, index, "is of something unknown"));
    }
    return key;
  }

  std::string path_name(std::uint16_t path) const { return path == layout::no_path ? std::string() : paths_[path]; }

  static std::string numbered(const char* what, std::size_t index, const char* rest) {
    return std::string("is corrupted: ") + what + " " + std::to_string(index) + " " + rest;
  }

  const layout::Segment& segment_;
  const layout::Header& header_;
  const Observer& observer_;
  TickConversion seconds_at_;
  RankSnapshot snapshot_;
  std::vector<std::string> functions_;
  std::vector<std::string> paths_;
  /// Entry of the segment -> index into the snapshot's communicators.
  std::map<std::size_t, std::size_t> positions_;
};

}  // namespace

Observer Observer::here() {
  const layout::ClockKind kind = tick_clock_kind();
  return {.space = own_process_space(), .clock = kind, .now = read_clocks(kind)};
}

Decoded decode(const layout::Segment& segment, const Observer& observer) {
  try {
    return {.snapshot = Decoder(segment, observer).run(), .error = {}};
  } catch (const Corrupted& corrupted) {
    return {.snapshot = {}, .error = corrupted.what()};
  }
}

}  // namespace airamp::telemetry
